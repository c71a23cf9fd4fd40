// The cost of each subscriber to a publication, measured on waiting messages, one after another.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { subscribersOf } from '../../packages/server/src/subscribers.ts';
import { readConfig } from '../../packages/server/src/config/index.ts';
import type { Database, Tx } from '../../packages/server/src/database/index.ts';
import type { Delivered, Subscriber } from '../../packages/server/src/outbox/index.ts';
import { openLog, reachServices } from '../../packages/server/src/services.ts';
import type pg from 'pg';
import type { BenchDatabase } from './database.ts';
import { roundToThree } from './figures.ts';
import type { Row } from './figures.ts';
import { openProcessorTime } from './processor-time.ts';

const atOnce = 4;
/** Messages that are not measured: the first use of anything takes longer. */
const warmUp = 40;

/** Wraps the database and counts its statements; begin and commit of a transaction count as one each. */
function countStatements(db: Database): {
  readonly db: Database;
  readonly statements: () => number;
} {
  let statements = 0;
  const counted =
    <A extends unknown[], R>(ask: (...asked: A) => R) =>
    (...asked: A): R => {
      statements += 1;
      return ask(...asked);
    };
  const of = <T extends Pick<Tx, 'rows' | 'first'>>(one: T): T => ({
    ...one,
    rows: counted(one.rows.bind(one)),
    first: counted(one.first.bind(one)),
  });
  return {
    db: {
      ...of(db),
      transaction: (work, input) => {
        statements += 2;
        return db.transaction((tx) => work({ ...of(tx), run: counted(tx.run.bind(tx)) }), input);
      },
    },
    statements: () => statements,
  };
}

async function runAll(
  subscriber: Subscriber,
  messages: readonly Delivered[],
  services: Parameters<Subscriber['run']>[1],
): Promise<number> {
  const size = subscriber.many?.atOnce ?? 1;
  const batches: Delivered[][] = [];
  for (let from = 0; from < messages.length; from += size)
    batches.push(messages.slice(from, from + size));
  const jobs = batches.length;
  const worker = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      if (subscriber.many !== undefined) await subscriber.many.run(batch, services);
      else for (const message of batch) await subscriber.run(message, services);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return jobs;
}

/** Returns one row for each subscriber to a publication except drawing, the most expensive first. */
export async function measureSubscribers(
  database: BenchDatabase,
  client: pg.Client,
): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const config = readConfig({ DATABASE_URL: database.url(), DATA_DIR: folder, LOG_LEVEL: 'fatal' });
  const log = openLog('fatal');
  await using services = await reachServices(config, log, { connectionString: database.url() });
  const { rows: messages } = await client.query<Delivered>(`
    select id, bucket, type, payload, created_at
    from outbox
    where type = 'article.changed'
    order by id`);
  const subscribers = subscribersOf(services).filter(
    ({ type, name }) => type === 'article.changed' && name !== 'makeOgImage',
  );
  const own = { ...services, db: services.db };
  for (const one of subscribers) await runAll(one, messages.slice(0, warmUp), own);
  const processor = await openProcessorTime(database, process.pid);
  const found: Row[] = [];
  const rest = messages.slice(warmUp);
  for (const subscriber of subscribers) {
    const { db, statements } = countStatements(services.db);
    const [before, since] = [await processor(), performance.now()];
    const jobs = await runAll(subscriber, rest, { ...own, db });
    const passed = performance.now() - since;
    const after = await processor();
    const each = (all: number) => roundToThree(all / rest.length);
    found.push({
      subscriber: subscriber.name,
      articles: rest.length,
      jobs,
      'server ms each': each(after.server - before.server),
      'database ms each': each(after.database - before.database),
      'statements each': each(statements()),
      'ms a job': roundToThree((passed * atOnce) / jobs),
    });
  }
  await rm(folder, { recursive: true, force: true });
  const cost = (row: Row) => Number(row['server ms each']) + Number(row['database ms each']);
  return found.toSorted((a, b) => cost(b) - cost(a));
}
