// Tracks when tokens and sessions were last used, to the minute: collected in memory, written periodically.
import type { Database, Tx } from '#database';

export interface LastUsed extends AsyncDisposable {
  readonly note: (id: string, address?: string) => void;
  readonly flush: () => Promise<void>;
}

const minuteMs = 60_000;

export interface LastUse {
  /** To the minute. */
  readonly at: Date;
  readonly address: string | undefined;
}

interface Tracking {
  readonly db: Database;
  readonly now: () => Date;
  /** Milliseconds between two writes: a crash loses so many. */
  readonly everyMs: number;
  /** Writes the last uses by id of the token or session. */
  readonly write: (tx: Tx, uses: ReadonlyMap<string, LastUse>) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** Starts tracking. A failed flush is retried with the next. */
export function trackLastUsed({ db, now, everyMs, write, onError }: Tracking): LastUsed {
  let noted = new Map<string, LastUse>();

  async function flush(): Promise<void> {
    if (noted.size === 0) return;
    const taken = noted;
    noted = new Map();
    try {
      await db.transaction((tx) => write(tx, taken));
    } catch (error) {
      for (const [id, use] of taken) if (!noted.has(id)) noted.set(id, use);
      onError(error);
    }
  }

  const timer = setInterval(() => void flush(), everyMs).unref();
  return {
    note: (id, address) => {
      const at = new Date(Math.floor(now().getTime() / minuteMs) * minuteMs);
      noted.set(id, { at, address });
    },
    flush,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
