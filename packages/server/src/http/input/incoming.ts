// Bounds the bytes of request bodies that this process holds at a time.
import type { Requester } from '#text';
import { problem } from '../problem.ts';

/** Of all bodies together. */
const totalMax = 72 * 1024 * 1024;
/** Part of the bound that one account or network address may fill: two bodies of 8 MiB, with what their pieces cost. */
const share = 4;
/** A body up to this size is taken although the bound is reached: short writes go on beside long ones. */
const smallBytes = 64 * 1024;

/** The bytes of one body. To be disposed of when its request is answered. */
export interface IncomingBody extends Disposable {
  /** Counts bytes that have arrived. @throws rate-limited, unavailable: they go beyond a bound */
  add(bytes: number): void;
}

export interface Incoming {
  /** Begins to count a body for an account or a network address; undefined: for nobody. */
  open(requester: Requester): IncomingBody;
}

function tooManyOfOne() {
  const detail = 'You send too many long bodies at once. Send one after the other.';
  return problem('rate-limited', detail, { retry_after_seconds: 2 }, { connection: 'close' });
}

function tooMany() {
  const detail = 'The server takes in as many long bodies as it can. Try again soon.';
  return problem('unavailable', detail, { retry_after_seconds: 2 }, { connection: 'close' });
}

/** Counts the bodies of all requests of this process. */
export function openIncoming(bytesMax: number = totalMax): Incoming {
  const byRequester = new Map<Requester, number>();
  let total = 0;

  function count(requester: Requester, bytes: number): void {
    total += bytes;
    const held = (byRequester.get(requester) ?? 0) + bytes;
    if (held === 0) byRequester.delete(requester);
    else byRequester.set(requester, held);
  }

  return {
    open: (requester) => {
      let own = 0;
      return {
        add: (bytes) => {
          own += bytes;
          count(requester, bytes);
          if (own <= smallBytes) return;
          const held = byRequester.get(requester) ?? 0;
          if (requester !== undefined && held > bytesMax / share) throw tooManyOfOne();
          if (total > bytesMax) throw tooMany();
        },
        [Symbol.dispose]: () => {
          count(requester, -own);
          own = 0;
        },
      };
    },
  };
}
