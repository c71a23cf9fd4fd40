// Tracks when tokens were last used, to the minute: collected in memory, written periodically.
import type { Database, Tx } from '#database';

export interface LastUsed extends AsyncDisposable {
  readonly note: (tokenId: string) => void;
  readonly flush: () => Promise<void>;
}

const flushSeconds = 20;

interface Tracking {
  readonly db: Database;
  readonly now: () => Date;
  /** Writes the times of last use of tokens, by token id. */
  readonly write: (tx: Tx, uses: ReadonlyMap<string, Date>) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** Starts tracking. A crash loses the last 20 seconds at most. A failed flush is retried with the next. */
export function trackLastUsed({ db, now, write, onError }: Tracking): LastUsed {
  let minutes = new Map<string, number>();

  async function flush(): Promise<void> {
    if (minutes.size === 0) return;
    const taken = minutes;
    minutes = new Map();
    const uses = new Map(
      Array.from(taken, ([id, minute]) => [id, new Date(minute * 60_000)] as const),
    );
    try {
      await db.transaction((tx) => write(tx, uses));
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
