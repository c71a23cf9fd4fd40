// Counts the bytes that requests hold at a time, for the account and the network address of each.
import type { Requester } from '@colophon/text';

/** The most that the requests of one account, and those of one address, may hold together. */
interface Maxima {
  readonly account: number;
  readonly address: number;
}

/** The bytes of one request. Dispose of it when the request is answered. */
interface CountedBytes extends Disposable {
  /** Counts bytes. Returns whether its account or its address now holds more than its maximum. */
  add(bytes: number): boolean;
}

/** Returns the keys under which bytes are counted, with the maximum of each. */
function partsOf(
  requester: Requester,
  maxima: Maxima,
): readonly (readonly [key: string, max: number])[] {
  const { address, account } = typeof requester === 'object' ? requester : { address: requester };
  return [
    ...(account === undefined ? [] : [[`account ${account}`, maxima.account] as const]),
    ...(address === undefined ? [] : [[`address ${address}`, maxima.address] as const]),
  ];
}

/** Opens a count. It returns a function that starts counting for one request. */
export function openCountedBytes(maxima: Maxima): (requester: Requester) => CountedBytes {
  const sums = new Map<string, number>();

  function count(key: string, bytes: number): number {
    const sum = (sums.get(key) ?? 0) + bytes;
    if (sum === 0) sums.delete(key);
    else sums.set(key, sum);
    return sum;
  }

  return (requester) => {
    const parts = partsOf(requester, maxima);
    let own = 0;
    return {
      add: (bytes) => {
        own += bytes;
        return parts.filter(([key, max]) => count(key, bytes) > max).length > 0;
      },
      [Symbol.dispose]: () => {
        for (const [key] of parts) count(key, -own);
        own = 0;
      },
    };
  };
}
