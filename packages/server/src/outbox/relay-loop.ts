// When the relay moves messages: when it is woken, once a second, and in larger batches while many jobs wait.
import { isConnectionLost, sql } from '#database';
import { trackWaitingJobs } from './coalescing.ts';
import type { Ask, DedicatedConnection } from './dedicated-connection.ts';
import type { Log } from './subscriber.ts';
import { moveBatch, priorities, taskOf } from './relay.ts';
import type { Routes, Undeleted } from './relay.ts';
import { batchSize } from './take-messages.ts';

/** Pause between two batches that are not full: messages committed meanwhile share one transaction. */
const restMs = 5;
/** While at least this many jobs wait, messages accumulate into larger batches: fewer jobs, which cost less. */
const behindJobs = 20;
const behindMs = 100;
const busyMs = 20;
const pollMs = 1_000;
/** How often a refusal of the database is a warning, while it is tried again each second. */
const warnMs = 60_000;

/** Returns whether many jobs are ready and not taken, except those of priority `idle`. */
async function isBehind(ask: Ask, routes: Routes): Promise<boolean> {
  // Jobs of a version with other subscribers wait for a process of that version.
  const tasks = [...routes.values()].flat().map(taskOf);
  const rows = await ask(sql<{ behind: boolean }>`
    select count(*) = ${behindJobs} as behind
    from (
      select 1
      from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where job.is_available
        and job.run_at <= now()
        and job.priority < ${priorities.idle}
        and task.identifier = any(${tasks})
      limit ${behindJobs}
    ) as ready`);
  return rows[0]?.behind === true;
}

/** Whether the database answered, and refused. */
function isRefusal(error: Error): boolean {
  return 'code' in error && !isConnectionLost(error);
}

type Moved = number | 'busy' | 'behind';

/**
 * Moves batches. While many jobs wait, it skips one turn, so that messages accumulate into larger batches.
 */
function mover(link: DedicatedConnection, routes: Routes, log: Log): () => Promise<Moved> {
  const handed = trackWaitingJobs();
  const undeleted: Undeleted = { messages: [] };
  let rested = false;

  async function step(ask: Ask): Promise<Moved> {
    if (!rested && (await isBehind(ask, routes))) return 'behind';
    return moveBatch(ask, routes, { handed, sharded: link.sharded, undeleted });
  }

  let warnedAt = -Infinity;

  /** Without a connection, that is logged where it is opened. What the database refuses may be refused for ever. */
  function report(error: Error): 0 {
    const text = 'The relay could not move messages; it is tried again within a second.';
    const waiting = undeleted.messages.length;
    if (waiting > 0) {
      log.warn({ err: error, messages: waiting }, `${text} Some are handed on and not deleted.`);
    } else if (isRefusal(error) && performance.now() - warnedAt >= warnMs) {
      warnedAt = performance.now();
      log.warn({ err: error }, text);
    } else log.debug({ err: error }, text);
    return 0;
  }

  return async () => {
    const moved = await link.alone(step).catch(report);
    // After a full batch there is more to move, however many jobs wait.
    rested = moved === 'behind' || (moved !== 'busy' && moved >= batchSize);
    return moved;
  };
}

export interface Relay extends AsyncDisposable {
  /** Reports a commit. Cheap: many calls become one batch. */
  wake(): void;
}

/** Moves messages whenever it is woken, and once a second in case a wake-up was lost. */
export function startRelay(link: DedicatedConnection, routes: Routes, log: Log): Relay {
  const moveNext = mover(link, routes, log);
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
    const moved = await moveNext();
    moving = undefined;
    if (stopped) return;
    const rest = moved === 'behind' ? behindMs : restMs;
    earliest = performance.now() + rest;
    if (moved === 'busy') later(busyMs);
    else if (moved === 'behind') later(rest);
    else if (moved >= batchSize) start();
    else if (again) later(rest);
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
