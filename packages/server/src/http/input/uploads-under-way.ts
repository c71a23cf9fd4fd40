// Limits the bytes that running uploads announce, so that uploads that are never completed take only a part of the disk.
import { uploadsAtOnce } from '@colophon/contract';
import type { Requester } from '#text';
import { problem } from '../problem.ts';

/** The uploads of one request. Dispose of it when the request is answered. */
export interface UploadUnderWay extends Disposable {
  /**
   * Counts the bytes that an upload announces.
   * @throws rate-limited: with the other running uploads they exceed a limit
   */
  add(bytes: number): void;
}

export interface UploadsUnderWay {
  /** Starts counting for an account and a network address. */
  open(requester: Requester): UploadUnderWay;
}

function tooManyOfOne() {
  const detail =
    'You are uploading too many bytes at once. Wait until one of the uploads is complete, then send this one again.';
  return problem('rate-limited', detail, { retry_after_seconds: 2 }, { connection: 'close' });
}

/** Returns the keys under which bytes are counted, with the maximum of each. */
function partsOf(requester: Requester): readonly (readonly [key: string, max: number])[] {
  const { address, account } = typeof requester === 'object' ? requester : { address: requester };
  return [
    ...(account === undefined ? [] : [[`account ${account}`, uploadsAtOnce.accountBytes] as const]),
    ...(address === undefined ? [] : [[`address ${address}`, uploadsAtOnce.addressBytes] as const]),
  ];
}

/** Opens the count of the running uploads of this process, which limits none where limits are switched off. */
export function openUploadsUnderWay(limits: { readonly off: boolean }): UploadsUnderWay {
  const held = new Map<string, number>();

  function count(key: string, bytes: number): number {
    const sum = (held.get(key) ?? 0) + bytes;
    if (sum === 0) held.delete(key);
    else held.set(key, sum);
    return sum;
  }

  return {
    open: (requester) => {
      const parts = limits.off ? [] : partsOf(requester);
      let own = 0;
      return {
        add: (bytes) => {
          own += bytes;
          const isOver = parts.filter(([key, max]) => count(key, bytes) > max);
          if (isOver.length > 0) throw tooManyOfOne();
        },
        [Symbol.dispose]: () => {
          for (const [key] of parts) count(key, -own);
          own = 0;
        },
      };
    },
  };
}
