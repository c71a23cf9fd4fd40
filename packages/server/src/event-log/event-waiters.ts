// Waiters for events of a recipient: woken in batches, limited in number per recipient.

/** A waiter. It misses no event of its recipient after its creation. */
export interface Waiter {
  /**
   * Resolves to true once something may have happened since the last call; to false after `ms`, or once it
   * has ended.
   */
  next(ms: number): Promise<boolean>;
  [Symbol.dispose](): void;
}

export interface EventWaiters {
  /** `gone` aborts when the client has disconnected. */
  add(recipientId: string, gone: AbortSignal | undefined): Waiter;
  wake(recipientId: string): void;
  recipients(): readonly string[];
  count(): number;
  /** Ends every wait, and every future one. */
  end(): void;
}

/** Above this number the longest waiter is ended: its client may have disconnected unnoticed. */
const perRecipient = 32;
/** Each waiter occupies a client connection; the server accepts slightly more than this. */
const inAll = 4_000;
/** Every woken waiter queries the database: this many are woken at once, the next after `momentMs`. */
const wokenAtOnce = 64;
const momentMs = 10;

interface Place extends Waiter {
  wake(): void;
  end(): void;
}

/** A single waiter, independent of the others. */
function makePlace(leave: (place: Place) => void): Place {
  let missed = false;
  let over = false;
  let settle: ((news: boolean) => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  function answer(news: boolean): void {
    clearTimeout(timer);
    settle?.(news);
    settle = undefined;
  }
  const end = () => {
    over = true;
    answer(false);
  };
  const place: Place = {
    wake: () => {
      if (settle === undefined) missed = true;
      else answer(true);
    },
    end,
    next: (ms) => {
      if (over || ms <= 0) return Promise.resolve(false);
      if (missed) {
        missed = false;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        settle = resolve;
        timer = setTimeout(() => answer(false), ms);
      });
    },
    [Symbol.dispose]: () => {
      end();
      leave(place);
    },
  };
  return place;
}

/** Wakes waiters in batches, in their order. */
function makeGate() {
  const queue = new Set<Place>();
  let timer: NodeJS.Timeout | undefined;

  function open(): void {
    timer = undefined;
    let left = wokenAtOnce;
    for (const place of queue) {
      if (left === 0) break;
      left -= 1;
      queue.delete(place);
      place.wake();
    }
    if (queue.size > 0 || left < wokenAtOnce) timer = setTimeout(open, momentMs);
  }

  return {
    push: (places: Iterable<Place>) => {
      for (const place of places) queue.add(place);
      if (timer === undefined) open();
    },
    drop: (place: Place) => queue.delete(place),
    close: () => clearTimeout(timer),
  };
}

/** Creates an empty set of waiters. */
export function openEventWaiters(): EventWaiters {
  const byRecipient = new Map<string, Set<Place>>();
  const gate = makeGate();
  let count = 0;
  let ended = false;

  function enter(recipientId: string, place: Place): void {
    const places = byRecipient.get(recipientId) ?? new Set();
    byRecipient.set(recipientId, places);
    if (places.size >= perRecipient) {
      const [longest] = places;
      if (longest !== undefined && places.delete(longest)) count -= 1;
      longest?.end();
    }
    places.add(place);
    count += 1;
  }

  function leave(recipientId: string, place: Place): void {
    gate.drop(place);
    const places = byRecipient.get(recipientId);
    if (places?.delete(place) !== true) return;
    count -= 1;
    if (places.size === 0) byRecipient.delete(recipientId);
  }

  return {
    add: (recipientId, gone) => {
      const place = makePlace(() => {
        gone?.removeEventListener('abort', place.end);
        leave(recipientId, place);
      });
      if (ended || count >= inAll || gone?.aborted === true) place.end();
      gone?.addEventListener('abort', place.end);
      enter(recipientId, place);
      return place;
    },
    wake: (recipientId) => gate.push(byRecipient.get(recipientId) ?? []),
    recipients: () => [...byRecipient.keys()],
    count: () => count,
    end: () => {
      ended = true;
      gate.close();
      for (const places of byRecipient.values()) for (const place of places) place.end();
    },
  };
}
