// Hands committed messages to the job queue, one process at a time.
import { sql } from '#database';
import { aloneFlag } from './alone.ts';
import { inTransaction } from './link.ts';
import type { Ask, Link } from './link.ts';
import type { Log, Message, Reaction } from './messages.ts';

const batchSize = 500;
export const attemptsMax = 12;
/** Of jobs that are ready the queue takes the lowest first. */
const urgentPriority = -10;
export const patientPriority = 10;
/** Between two batches that are not full: what is committed meanwhile shares one transaction. */
const restMs = 5;
const busyMs = 20;
const pollMs = 1_000;

interface Taken {
  readonly bucket: number;
  readonly id: string;
  readonly type: string;
  readonly payload: unknown;
  readonly created_at: Date;
}

/** Which jobs a message becomes: one for each reaction, so that one failing does not repeat the others. */
export type Routes = ReadonlyMap<
  string,
  readonly Pick<Reaction, 'name' | 'urgent' | 'patient' | 'alone'>[]
>;

/** The name under which the job queue knows a reaction. */
export function taskOf(reaction: { readonly type: string; readonly name: string }): string {
  return `${reaction.type}:${reaction.name}`;
}

export function routesOf(reactions: readonly Reaction<Message>[]): Routes {
  const tasks = reactions.map(taskOf);
  const twice = tasks.find((task, index) => tasks.indexOf(task) !== index);
  if (twice !== undefined) throw new Error(`Two reactions are called ${twice}.`);
  const byType = Map.groupBy(reactions, (reaction) => reaction.type as string);
  return new Map(byType);
}

/**
 * Takes committed rows whatever their ids: ids are not in commit order, so a cursor would pass over a
 * row that commits late. Types that this version has no reaction for stay for a newer process.
 */
async function takeBatch(ask: Ask, types: readonly string[]): Promise<readonly Taken[]> {
  return ask(sql<Taken>`
    with batch as materialized (
      select bucket, id
      from outbox
      where type = any(${types})
      order by id
      limit ${batchSize}
    )
    delete from outbox
    using batch
    where outbox.bucket = batch.bucket
      and outbox.id = batch.id
    returning outbox.bucket, outbox.id, outbox.type, outbox.payload, outbox.created_at`);
}

function priorityOf({ urgent, patient }: Pick<Reaction, 'urgent' | 'patient'>): number {
  if (urgent) return urgentPriority;
  return patient ? patientPriority : 0;
}

async function addJobs(ask: Ask, taken: readonly Taken[], routes: Routes): Promise<void> {
  const jobs = taken.flatMap((row) =>
    (routes.get(row.type) ?? []).map((reaction) => ({
      identifier: taskOf({ type: row.type, name: reaction.name }),
      payload: { ...row, created_at: row.created_at.toISOString() },
      job_key: `${row.id}:${reaction.name}`,
      max_attempts: attemptsMax,
      priority: priorityOf(reaction),
      ...(reaction.alone ? { flags: [aloneFlag] } : {}),
    })),
  );
  await ask(sql`
    select count(*)
    from graphile_worker.add_jobs(array(
      select json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(jobs)}::json)
    ))`);
}

/** The right to move messages; ends with the transaction, so it cannot outlive whoever held it. */
export async function holdsLease(ask: Ask): Promise<boolean> {
  const rows = await ask(
    sql<{ held: boolean }>`select pg_try_advisory_xact_lock(1129270351, 2) as held`,
  );
  return rows[0]?.held === true;
}

/** Moves one batch in one transaction: how many messages it was, or `busy` while another relay works. */
export async function moveBatch(ask: Ask, routes: Routes): Promise<number | 'busy'> {
  return inTransaction(ask, async () => {
    if (!(await holdsLease(ask))) return 'busy';
    const taken = await takeBatch(ask, [...routes.keys()]);
    if (taken.length > 0) await addJobs(ask, taken, routes);
    return taken.length;
  });
}

export interface Relay extends AsyncDisposable {
  /** Something was committed. Cheap: many calls become one batch. */
  wake(): void;
}

/** Moves messages whenever it is woken, and once a second in case that nobody woke it. */
export function startRelay(link: Link, routes: Routes, log: Log): Relay {
  let moving: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let earliest = 0;
  let timer: NodeJS.Timeout | undefined;

  function later(ms: number): void {
    timer ??= setTimeout(start, ms);
  }

  async function move(): Promise<void> {
    again = false;
    const moved = await link
      .alone((ask) => moveBatch(ask, routes))
      .catch((error: Error) => {
        log.debug(
          { err: error },
          'The relay could not move messages; it tries again within a second.',
        );
        return 0;
      });
    moving = undefined;
    if (stopped) return;
    earliest = performance.now() + restMs;
    if (moved === 'busy') later(busyMs);
    else if (moved >= batchSize) start();
    else if (again) later(restMs);
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    moving ??= move();
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    if (moving !== undefined) return;
    const rest = earliest - performance.now();
    if (rest <= 0) start();
    else later(rest);
  }

  const poll = setInterval(wake, pollMs);

  return {
    wake,
    [Symbol.asyncDispose]: async () => {
      stopped = true;
      clearInterval(poll);
      clearTimeout(timer);
      await moving;
    },
  };
}
