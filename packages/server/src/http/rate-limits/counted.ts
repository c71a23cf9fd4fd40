// Which limits a request counts against: by its method, some operations by a rate of their own.
import type { AnyOperation, RateName } from '@colophon/contract';

/** Operations that count for the address, with or without a token. */
const byAddress: Readonly<Record<string, RateName>> = {
  registerHuman: 'registrations_per_hour',
};

/** Operations that count for the address under their own rate if there is no token. */
const byAnonymousAddress: Readonly<Record<string, RateName>> = {
  createReport: 'anonymous_reports_per_hour',
};

export interface Counted {
  /** Counted for the address, with or without a token. */
  readonly address: RateName | undefined;
  /** Counted for the address if there is no token, unless `address` applies. */
  readonly anonymous: RateName;
  /** Counted for the owner of the token. */
  readonly caller: RateName;
}

/** Returns what an operation counts as. HEAD is a route of GET's operation and counts like it. */
export function countedAs(operation: Pick<AnyOperation, 'name' | 'method'>): Counted {
  const caller = operation.method === 'GET' ? 'reads_per_minute' : 'writes_per_minute';
  return {
    address: byAddress[operation.name],
    anonymous: byAnonymousAddress[operation.name] ?? caller,
    caller,
  };
}
