// The operator's page: the findings of doctor and the figures behind them, one run for all who ask at once.
import { statfs } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { hiderOfSecrets } from '#config';
import { sql } from '#database';
import { countParked, lag, listParked } from '#outbox';
import { diskRoom } from '#storage';
import type { PageServices } from '#web';
import { examine } from './examinations.ts';
import type { Examined } from './examinations.ts';

type Status = Awaited<ReturnType<PageServices['status']>>;

const shownJobs = 20;
/** An examination may ask a storage service that does not answer. */
const patienceMs = 15_000;

async function pipelineOf({ db }: Examined): Promise<Status['pipeline']> {
  const [behind, parked, jobs] = await Promise.all([
    lag(db),
    countParked(db),
    listParked(db, shownJobs),
  ]);
  const hide = hiderOfSecrets();
  return {
    waiting: behind.waiting,
    oldestSeconds: behind.oldest_seconds,
    parked,
    jobs: jobs.map(({ type, subscriber, message_id, last_error }) => ({
      type,
      subscriber,
      message_id,
      last_error: last_error === null ? null : hide(last_error),
    })),
  };
}

async function diskOf({ config }: Examined): Promise<Status['disk']> {
  const room = await diskRoom(config.dataDir, config.diskReserve);
  const { blocks, bsize } = await statfs(config.dataDir);
  return { ...room, totalBytes: blocks * bsize };
}

async function versionsOf({ db }: Examined): Promise<Status['versions']> {
  const row = await db.first(sql<{ release: string }>`
    select current_setting('server_version') as release`);
  return {
    'Node.js': process.versions.node,
    PostgreSQL: row?.release ?? 'does not respond',
  };
}

const late = 'The examinations did not end in time: the database or a storage service is slow.';

async function look(services: Examined): Promise<Status> {
  const findings = Promise.race([
    examine(services),
    wait(patienceMs, [{ what: 'time', well: false, text: late }], { ref: false }),
  ]);
  const [found, pipeline, disk, versions] = await Promise.all([
    findings,
    pipelineOf(services).catch(() => null),
    diskOf(services).catch(() => null),
    versionsOf(services).catch(() => ({ 'Node.js': process.versions.node })),
  ]);
  return { at: services.now().toISOString(), findings: found, pipeline, disk, versions };
}

/** Returns the function that reads the status; requests that arrive while it runs share one run. */
export function statusOf(services: Examined): PageServices['status'] {
  let running: Promise<Status> | undefined;
  return () => {
    running ??= look(services).finally(() => {
      running = undefined;
    });
    return running;
  };
}
