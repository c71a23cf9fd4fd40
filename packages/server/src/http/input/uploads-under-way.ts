// Limits the bytes that running uploads announce, so that uploads that are never completed take only a part of the disk.
import { uploadsAtOnce } from '@colophon/contract';
import type { Requester } from '@colophon/text';
import { problem } from '../problem.ts';
import { openCountedBytes } from './counted-bytes.ts';

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

/** Opens the count of the running uploads of this process, which limits none where limits are switched off. */
export function openUploadsUnderWay(limits: { readonly off: boolean }): UploadsUnderWay {
  const { accountBytes, addressBytes } = uploadsAtOnce;
  const count = openCountedBytes({ account: accountBytes, address: addressBytes });
  return {
    open: (requester) => {
      const counted = count(limits.off ? undefined : requester);
      return {
        add: (bytes) => {
          if (counted.add(bytes)) throw tooManyOfOne();
        },
        [Symbol.dispose]: () => counted[Symbol.dispose](),
      };
    },
  };
}
