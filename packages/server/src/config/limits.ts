// The limits: the numbers of the contract, wider on a loopback address, changed by LIMITS.
import {
  connectionsPerAddress,
  loopbackFactor,
  quotaActions,
  quotas,
  rateNames,
  rates,
} from '@colophon/contract';
import type { QuotaAction, RateName } from '@colophon/contract';

export interface Limits {
  /** No limit is counted or enforced. */
  readonly off: boolean;
  /** Requests per window of each rate. */
  readonly rates: Readonly<Record<RateName, number>>;
  /** Allowance per action for the trust levels 0 to 3. */
  readonly quotas: Readonly<Record<QuotaAction, readonly number[]>>;
  /** Maximum open connections of one network address. */
  readonly connectionsPerAddress: number;
}

/** The largest integer of a structured field (RFC 9651 section 3.3.1), such as RateLimit. */
const amountMax = 999_999_999_999_999;

function isAmount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= amountMax;
}

function refuse(place: string, value: unknown, expected: string): Error {
  return new Error(`LIMITS ${place} is ${JSON.stringify(value)}: set it to ${expected}.`);
}

function membersOf(value: unknown, place: string): readonly (readonly [string, unknown])[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse(place, value, 'an object');
  return Object.entries(value);
}

function checkMembers(file: unknown): void {
  const known = ['rates', 'quotas', 'connections_per_address'];
  for (const [name] of membersOf(file, 'file')) {
    if (!known.includes(name))
      throw new Error(
        `LIMITS ${name} is not known: remove it; the members of the file are ${known.join(', ')}.`,
      );
  }
}

/** Without any of these nothing can be used at all, and the wait that a refusal names would never help. */
const needed: readonly string[] = ['reads_per_minute', 'writes_per_minute'];

function checkRates(changes: unknown): void {
  for (const [name, value] of membersOf(changes, 'rates')) {
    if (!(rateNames as readonly string[]).includes(name) || !isAmount(value)) {
      throw refuse(`rates.${name}`, value, `a whole number; the names are ${rateNames.join(', ')}`);
    }
    if (value === 0 && needed.includes(name))
      throw refuse(`rates.${name}`, value, 'a whole number above 0');
  }
}

function checkQuotas(changes: unknown): void {
  for (const [name, value] of membersOf(changes, 'quotas')) {
    const fits = Array.isArray(value) && value.length === 4 && value.every(isAmount);
    if (!(quotaActions as readonly string[]).includes(name) || !fits) {
      throw refuse(
        `quotas.${name}`,
        value,
        'four whole numbers, one for each trust level, under the name of a known action',
      );
    }
  }
}

function checkConnections(value: unknown): void {
  if (value !== undefined && (!isAmount(value) || value === 0))
    throw refuse('connections_per_address', value, 'a whole number above 0');
}

function each<K extends string, V>(names: readonly K[], valueOf: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<K, V>;
}

/**
 * Returns the limits. `file` is the content of the JSON file of LIMITS, undefined without one; members that
 * it omits keep their defaults.
 * @throws Error with one sentence that names the wrong member and its allowed values
 */
export function limitsFrom(options: {
  readonly loopback: boolean;
  readonly off: boolean;
  readonly file?: unknown;
}): Limits {
  const wider = options.loopback ? loopbackFactor : 1;
  const { off, file } = options;
  checkMembers(file);
  const changes = (file ?? {}) as {
    readonly rates?: object;
    readonly quotas?: object;
    readonly connections_per_address?: number;
  };
  checkRates(changes.rates);
  checkQuotas(changes.quotas);
  checkConnections(changes.connections_per_address);
  return {
    off,
    rates: { ...each(rateNames, (name) => rates[name].requests * wider), ...changes.rates },
    quotas: {
      ...each(quotaActions, (action) => quotas[action].levels.map((n) => n * wider)),
      ...changes.quotas,
    },
    connectionsPerAddress: changes.connections_per_address ?? connectionsPerAddress * wider,
  };
}
