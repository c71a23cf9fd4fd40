// Limits the bytes of request bodies that this process keeps in memory at a time.
import type { Requester } from '#text';
import { problem } from '../problem.ts';

/** Maximum for all bodies together. */
const totalMax = 72 * 1024 * 1024;
/** Share of the limit for one account: two bodies of 8 MiB, with the overhead of their chunks. */
const accountShare = 1 / 4;
/** Share of the limit for one network address, over all its accounts. */
const addressShare = 1 / 2;
/**
 * A body up to this size is accepted even if the limit is reached: short writes continue beside long ones.
 */
const smallBytes = 64 * 1024;

/** The bytes of one body. Dispose of it when its request is answered. */
export interface IncomingBody extends Disposable {
  /**
   * Counts bytes that have arrived.
   * @throws rate-limited, unavailable: they exceed a limit
   */
  add(bytes: number): void;
}

export interface Incoming {
  /** Starts counting a body for an account or a network address; undefined: only in the total. */
  open(requester: Requester): IncomingBody;
}

function tooManyOfOne() {
  const detail = 'You are sending too many long bodies at once. Send one at a time.';
  return problem('rate-limited', detail, { retry_after_seconds: 2 }, { connection: 'close' });
}

function tooMany() {
  const detail = 'The server is receiving too many long bodies. Try again in a few seconds.';
  return problem('unavailable', detail, { retry_after_seconds: 2 }, { connection: 'close' });
}

/** Returns the keys under which bytes are counted, with the share of the limit for each. */
function partsOf(requester: Requester): readonly (readonly [key: string, share: number])[] {
  const { address, account } = typeof requester === 'object' ? requester : { address: requester };
  return [
    ...(account === undefined ? [] : [[`account ${account}`, accountShare] as const]),
    ...(address === undefined ? [] : [[`address ${address}`, addressShare] as const]),
  ];
}

/** Opens the count of the bodies of all requests of this process. */
export function openIncoming(bytesMax: number = totalMax): Incoming {
  const held = new Map<string, number>();
  let total = 0;

  function count(key: string, bytes: number): number {
    const sum = (held.get(key) ?? 0) + bytes;
    if (sum === 0) held.delete(key);
    else held.set(key, sum);
    return sum;
  }

  return {
    open: (requester) => {
      const parts = partsOf(requester);
      let own = 0;
      return {
        add: (bytes) => {
          own += bytes;
          total += bytes;
          const isOver = parts.filter(([key, share]) => count(key, bytes) > bytesMax * share);
          if (own <= smallBytes) return;
          if (isOver.length > 0) throw tooManyOfOne();
          if (total > bytesMax) throw tooMany();
        },
        [Symbol.dispose]: () => {
          total -= own;
          for (const [key] of parts) count(key, -own);
          own = 0;
        },
      };
    },
  };
}
