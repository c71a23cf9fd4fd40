// When tokens were last used, exact to the minute: gathered in memory, written in one statement now and then.
import { sql } from '#database';
import type { Database } from '#database';
import { bucketOf } from '#lib/id';

export interface LastUsed extends AsyncDisposable {
  readonly note: (tokenId: string) => void;
  readonly flush: () => Promise<void>;
}

const flushSeconds = 20;

/**
 * One statement over many buckets: it is no request's, and each row stands for itself.
 * A crash loses at most the last 20 seconds of it; a failed flush is tried again with the next.
 */
export function trackLastUsed(
  db: Database,
  now: () => Date,
  onError: (error: unknown) => void,
): LastUsed {
  let minutes = new Map<string, number>();

  async function flush(): Promise<void> {
    if (minutes.size === 0) return;
    const taken = minutes;
    minutes = new Map();
    const ids = [...taken.keys()];
    try {
      await db.transaction((tx) =>
        tx.run(sql`
          update tokens as t
          set last_used_at = u.used_at
          from unnest(
            ${ids.map(bucketOf)}::smallint[], ${ids}::text[],
            ${ids.map((id) => new Date((taken.get(id) ?? 0) * 60_000).toISOString())}::timestamptz[]
          ) as u (bucket, id, used_at)
          where t.bucket = u.bucket
            and t.id = u.id
            and (t.last_used_at is null or t.last_used_at < u.used_at)`),
      );
    } catch (error) {
      for (const [id, minute] of taken) if (!minutes.has(id)) minutes.set(id, minute);
      onError(error);
    }
  }

  const timer = setInterval(() => void flush(), flushSeconds * 1000).unref();
  return {
    note: (tokenId) => {
      minutes.set(tokenId, Math.floor(now().getTime() / 60_000));
    },
    flush,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
