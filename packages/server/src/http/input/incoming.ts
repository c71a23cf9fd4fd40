// Limits the bytes of request bodies that this process keeps in memory at a time.
import type { Requester } from '@colophon/text';
import { problem } from '../problem.ts';
import { openCountedBytes } from './counted-bytes.ts';

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

/** Opens the count of the bodies of all requests of this process. */
export function openIncoming(bytesMax: number = totalMax): Incoming {
  const count = openCountedBytes({
    account: bytesMax * accountShare,
    address: bytesMax * addressShare,
  });
  let total = 0;
  return {
    open: (requester) => {
      const counted = count(requester);
      let own = 0;
      return {
        add: (bytes) => {
          own += bytes;
          total += bytes;
          const isOver = counted.add(bytes);
          if (own <= smallBytes) return;
          if (isOver) throw tooManyOfOne();
          if (total > bytesMax) throw tooMany();
        },
        [Symbol.dispose]: () => {
          total -= own;
          own = 0;
          counted[Symbol.dispose]();
        },
      };
    },
  };
}
