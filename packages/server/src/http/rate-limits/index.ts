// The door of the short-window rate limits: what is counted, for whom, and where.
import { rateNames } from '@colophon/contract';
import type { AnyOperation, RateName } from '@colophon/contract';
import type { Config } from '#config';
import type { Traces } from '#tracing';
import { addressReader } from './address.ts';
import type { AddressOf } from './address.ts';
import type { Outcome } from '#lib/token-bucket';
import { countedAs } from './counted.ts';
import { limitOf, rateItem, rateLimited } from './fields.ts';
import type { Limit } from './fields.ts';
import { openBuckets } from '#lib/token-buckets';
import type { Buckets } from '#lib/token-buckets';
import type { SharedBuckets as RedisBuckets } from './redis.ts';

interface Log {
  readonly info: (fields: object, text: string) => void;
  readonly warn: (fields: object, text: string) => void;
}

export { addressReader } from './address.ts';
export type { AddressOf } from './address.ts';

/** Buckets that several processes share. */
export type SharedBuckets = Pick<RedisBuckets, 'take' | 'charge'>;

type Message = Parameters<AddressOf>[0];

/** Receives the rate-limit fields of the answer. */
type Publish = (fields: {
  readonly ratelimit: string;
  readonly 'ratelimit-policy': string;
}) => void;

/** The limits of one request; its functions are called in the order in which they are listed. */
export interface RateLimiter {
  /** Called before authentication. @throws rate-limited */
  readonly limitAddress: () => Promise<void>;
  /**
   * Counts an invalid token for the address; beyond the limit, tokens are not looked up.
   * @throws rate-limited
   */
  readonly countBadToken: () => Promise<void>;
  /** Called for a credential that counts as missing. @throws rate-limited */
  readonly limitAnonymous: () => Promise<void>;
  /** Called after authentication; an agent and its owner share a bucket. @throws rate-limited */
  readonly limitOwner: (ownerId: string) => Promise<void>;
  /** Charges the same bucket with more requests for work that is done; it never refuses. */
  readonly charge: (requests: number) => void;
  /** Counts the request as this many more, in the same bucket. @throws rate-limited */
  readonly spend: (weight: number) => Promise<void>;
  readonly address: string;
}

export interface RateLimits extends AsyncDisposable {
  /**
   * Starts the limits of one request, which is `anonymous` without a credential. `publish` is called with all
   * fields each time one is added or changes.
   */
  readonly limiterOf: (
    operation: Pick<AnyOperation, 'method' | 'rate'>,
    message: Message,
    anonymous: boolean,
    publish: Publish,
  ) => RateLimiter;
}

/** Number of keys that this process stores for each limit: about 5 MB each when full. */
const keysMax = 50_000;

interface Counter {
  readonly limit: Limit;
  readonly own: Buckets;
  /** Prefix of the key in Redis. */
  readonly place: string;
}

type Counters = Readonly<Record<RateName, Counter>>;

function countersOf(config: Config, subject: 'owner' | 'address'): Counters {
  const made = rateNames.map((name) => {
    const limit = limitOf(name, config.limits.rates[name], subject);
    return [name, { limit, own: openBuckets(limit, keysMax), place: `${limit.policy}:${subject}` }];
  });
  return Object.fromEntries(made) as Counters;
}

async function takeFrom(
  { limit, own, place }: Counter,
  key: string,
  { shared, weight = 1 }: { readonly shared: SharedBuckets | undefined; readonly weight?: number },
): Promise<Outcome> {
  return (await shared?.take(`${place}:${key}`, limit, weight)) ?? own.take(key, weight);
}

async function chargeTo(
  { limit, own, place }: Counter,
  key: string,
  { shared, requests }: { readonly shared: SharedBuckets | undefined; readonly requests: number },
): Promise<void> {
  const isShared = await shared?.charge(`${place}:${key}`, limit, requests);
  if (isShared !== true) own.charge(key, requests);
}

/** Returns the buckets in Redis, which those of this host replace while Redis does not respond. */
function bothOf(
  redis: SharedBuckets | undefined,
  host: SharedBuckets | undefined,
): SharedBuckets | undefined {
  if (redis === undefined || host === undefined) return redis ?? host;
  return {
    take: async (key, rate, weight) =>
      (await redis.take(key, rate, weight)) ?? host.take(key, rate, weight),
    charge: async (key, rate, requests) =>
      (await redis.charge(key, rate, requests)) || host.charge(key, rate, requests),
  };
}

/** Collects the items of both fields during a request; a later item of a policy replaces the earlier one. */
function fieldsFor(publish: Publish) {
  const items: string[] = [];
  const policies: string[] = [];
  return (limit: Limit, outcome: Outcome, weight = 1) => {
    const known = policies.indexOf(limit.policyItem);
    const place = known < 0 ? policies.length : known;
    items[place] = rateItem(limit, outcome, weight);
    policies[place] = limit.policyItem;
    publish({ ratelimit: items.join(', '), 'ratelimit-policy': policies.join(', ') });
    if (!outcome.admitted) throw rateLimited(limit, outcome, weight);
  };
}

/**
 * Returns why the Redis of REDIS_URL cannot count requests. `stores`: also whether it accepts a key.
 */
export async function findRedisFault(url: string, stores: boolean): Promise<string | undefined> {
  try {
    await (await import('./redis-connection.ts')).askRedis(url, stores ? 1 : 0);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the buckets in Redis if REDIS_URL is set; loaded only then: it takes several megabytes. */
async function openRedis(
  { redisUrl }: Config,
  log: Log,
  traces: Traces | undefined,
): Promise<RedisBuckets | undefined> {
  if (redisUrl === undefined) return undefined;
  const redis = (await import('./redis.ts')).openSharedBuckets(redisUrl, log);
  if (traces === undefined) return redis;
  const client = { kind: 'client' } as const;
  return {
    ...redis,
    take: (...given) => traces.span('redis take', client, () => redis.take(...given)),
    charge: (...given) => traces.span('redis charge', client, () => redis.charge(...given)),
  };
}

/** Counts invalid tokens on this host, and knows here what this process was told. */
function openBadTokens(limit: Limit, host: SharedBuckets | undefined) {
  const own = openBuckets(limit, keysMax);
  return {
    look: own.look,
    take: async (address: string): Promise<Outcome> => {
      const local = own.take(address);
      const outcome = await host?.take(`${limit.policy}:address:${address}`, limit);
      if (outcome?.admitted !== false) return outcome ?? local;
      // Until the next one is admitted, this process looks up no token of the address.
      own.charge(address, limit.requests);
      return outcome;
    },
  };
}

/**
 * Opens the short-window limits; undefined if LIMITS is off. They are counted in Redis if REDIS_URL is set
 * and Redis responds, otherwise in the buckets of this host, or in this process if it is alone. Invalid tokens
 * are counted on this host only, so that checking their number needs no request to Redis.
 */
export async function openRateLimits(
  config: Config,
  log: Log,
  {
    host,
    traces,
  }: { readonly host?: SharedBuckets | undefined; readonly traces?: Traces | undefined } = {},
): Promise<RateLimits | undefined> {
  if (config.limits.off) return undefined;
  const redis = await openRedis(config, log, traces);
  const shared: SharedBuckets | undefined = bothOf(redis, host);
  const addressOf = addressReader(config.trustedProxies);
  const addresses = countersOf(config, 'address');
  const owners = countersOf(config, 'owner');
  const badTokens = limitOf('reads_per_minute', config.limits.rates.reads_per_minute, 'bad token');
  const bad = openBadTokens(badTokens, host);

  return {
    limiterOf: (operation, message, anonymous, publish) => {
      const counted = countedAs(operation);
      const address = addressOf(message);
      const settle = fieldsFor(publish);
      let last: { readonly counter: Counter; readonly key: string } | undefined;
      const count = async (counter: Counter, key: string): Promise<void> => {
        last = { counter, key };
        settle(counter.limit, await takeFrom(counter, key, { shared }));
      };
      return {
        address,
        limitAddress: async () => {
          const known = anonymous ? undefined : bad.look(address);
          if (known?.admitted === false) settle(badTokens, known);
          const name = counted.address ?? (anonymous ? counted.anonymous : undefined);
          if (name !== undefined) await count(addresses[name], address);
        },
        limitAnonymous: async () => {
          if (last === undefined) await count(addresses[counted.anonymous], address);
        },
        countBadToken: async () => settle(badTokens, await bad.take(address)),
        limitOwner: (ownerId) => count(owners[counted.caller], ownerId),
        charge: (requests) => {
          if (last !== undefined) void chargeTo(last.counter, last.key, { shared, requests });
        },
        spend: async (weight) => {
          if (last === undefined || weight <= 0) return;
          const { counter, key } = last;
          const rest = Math.min(weight, counter.limit.requests - 1);
          const outcome = await takeFrom(counter, key, { shared, weight: rest });
          // The request itself has taken one, and takes one again on a retry.
          settle(counter.limit, outcome, rest + 1);
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      await redis?.[Symbol.asyncDispose]();
    },
  };
}
