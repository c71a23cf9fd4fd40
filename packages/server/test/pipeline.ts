// What tests of the pipeline share: messages, subscribers and looks into the queue.
import { newId } from '#lib/id';
import { appendMessage, startOutbox } from '#outbox';
import type { ArticleChanged, Delivered, Outbox, OutboxOptions, Subscriber } from '#outbox';
import { quiet } from './throw-away-database.ts';
import type { Clone } from './throw-away-database.ts';

export function subscriber(
  name: string,
  run: (message: Delivered<ArticleChanged>) => Promise<void> | void,
): Subscriber<ArticleChanged> {
  return { type: 'article.changed', name, run: async (message) => run(message) };
}

export function open(
  clone: Clone,
  subscribers: readonly Subscriber[],
  options: Partial<OutboxOptions> = {},
): Outbox {
  return startOutbox({
    connection: clone.connection,
    db: clone.db,
    subscribers,
    log: quiet,
    concurrency: 4,
    ...options,
  });
}

/** Writes messages in one transaction; answers the ids of their articles. */
export async function say(clone: Clone, count = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => newId(index % 4096));
  await clone.db.transaction(async (tx) => {
    for (const [index, id] of ids.entries()) {
      void appendMessage(tx, {
        bucket: index % 4096,
        type: 'article.changed',
        payload: { article_id: id },
      });
    }
  });
  return ids;
}

/**
 * Notes how long a job waits after each failure, and lets it wait until `hurry`: a test that looks late would find
 * less of the time left, or the next attempt over.
 */
export async function noteWaits(clone: Clone): Promise<void> {
  await clone.ask(`
    create table waits (error text, seconds float8);
    create function note_wait() returns trigger language plpgsql as $$
    begin
      insert into public.waits values (new.last_error, extract(epoch from new.run_at - now()));
      new.run_at = now() + interval '1 day';
      return new;
    end $$;
    create trigger note_wait before update on graphile_worker._private_jobs
    for each row when (new.last_error is distinct from old.last_error)
    execute function note_wait()`);
}

/** Lets the time until the next attempt pass. */
export async function hurry(clone: Clone): Promise<void> {
  await clone.ask(
    'update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null',
  );
  await clone.ask(`select pg_notify('jobs:insert', '{"count":1}')`);
}

export async function jobs(clone: Clone): Promise<number> {
  const [row] = await clone.ask<{ count: string }>(
    'select count(*) as count from graphile_worker._private_jobs',
  );
  return Number(row?.count);
}

export async function countWaiting(clone: Clone): Promise<number> {
  const [row] = await clone.ask<{ count: string }>('select count(*) as count from outbox');
  return Number(row?.count);
}
