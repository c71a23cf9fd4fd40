// The one table of what a request counts as: by its method, and operations that have a rate of their own.
import type { AnyOperation, RateName } from '@colophon/contract';

/** Operations that count by address, with a token or without. */
const byAddress: Readonly<Record<string, RateName>> = {
  registerHuman: 'registrations_per_hour',
};

export interface Counted {
  /** Counted for the address, whoever asks. */
  readonly address: RateName | undefined;
  /** Counted for the owner of the token; without a token for the address, unless that counts already. */
  readonly caller: RateName;
}

/** HEAD is a route of GET's operation and counts like it. */
export function countedAs(operation: Pick<AnyOperation, 'name' | 'method'>): Counted {
  return {
    address: byAddress[operation.name],
    caller: operation.method === 'GET' ? 'reads_per_minute' : 'writes_per_minute',
  };
}
