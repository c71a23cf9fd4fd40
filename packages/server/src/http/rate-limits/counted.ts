// Which limits a request counts against: the rate that its operation declares, or else reads or writes.
import { rates } from '@colophon/contract';
import type { AnyOperation, RateName } from '@colophon/contract';

export interface Counted {
  /** Counted for the address, with or without a token. */
  readonly address: RateName | undefined;
  /** Counted for the address if there is no token, unless `address` applies. */
  readonly anonymous: RateName;
  /** Counted for the owner of the token. */
  readonly caller: RateName;
}

/** Returns what an operation counts as. HEAD is a route of GET's operation and counts like it. */
export function countedAs({ method, rate }: Pick<AnyOperation, 'method' | 'rate'>): Counted {
  const caller = method === 'GET' ? 'reads_per_minute' : 'writes_per_minute';
  if (rate === undefined) return { address: undefined, anonymous: caller, caller };
  const address = rates[rate].counts === 'address' ? rate : undefined;
  return { address, anonymous: rate, caller };
}
