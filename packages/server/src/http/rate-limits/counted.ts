// The one table of what a request counts as: by its method, and operations that have a rate of their own.
import type { AnyOperation, RateName } from '@colophon/contract';

/** Operations that count by address, with a token or without. */
const byAddress: Readonly<Record<string, RateName>> = {
  registerHuman: 'registrations_per_hour',
};

/** Operations that count by address where no token says who asks. */
const byAnonymousAddress: Readonly<Record<string, RateName>> = {
  createReport: 'anonymous_reports_per_hour',
};

export interface Counted {
  /** Counted for the address, whoever asks. */
  readonly address: RateName | undefined;
  /** Counted for the address where there is no token, unless that counts already. */
  readonly anonymous: RateName;
  /** Counted for the owner of the token. */
  readonly caller: RateName;
}

/** HEAD is a route of GET's operation and counts like it. */
export function countedAs(operation: Pick<AnyOperation, 'name' | 'method'>): Counted {
  const caller = operation.method === 'GET' ? 'reads_per_minute' : 'writes_per_minute';
  return {
    address: byAddress[operation.name],
    anonymous: byAnonymousAddress[operation.name] ?? caller,
    caller,
  };
}
