// Buckets in Redis, shared by all processes and hosts; without a response, the process counts locally.
import type { Outcome, Rate } from '#lib/token-bucket';
import { openDeadlines } from './deadlines.ts';
import { openRedis } from './redis-connection.ts';
import type { Redis } from './redis-connection.ts';

export interface SharedBuckets extends AsyncDisposable {
  /**
   * Takes one request, or one with that weight; undefined if Redis did not respond, so that the process
   * counts locally.
   */
  readonly take: (key: string, rate: Rate, weight?: number) => Promise<Outcome | undefined>;
  /** Takes requests for work that is done; false if Redis did not respond. */
  readonly charge: (key: string, rate: Rate, requests: number) => Promise<boolean>;
}

interface Log {
  readonly info: (fields: object, text: string) => void;
  readonly warn: (fields: object, text: string) => void;
}

/** Maximum milliseconds that a request waits for Redis. */
const deadlineMs = 100;
/** After a failure, milliseconds in which no request is sent to Redis. */
const pauseMs = 1_000;

/**
 * Opens the buckets. It connects in the background and retries forever: an unavailable Redis delays neither
 * the start nor a request.
 */
export function openSharedBuckets(url: string, log: Log, waitMs = deadlineMs): SharedBuckets {
  const inTime = openDeadlines(waitMs, `Redis did not answer within ${waitMs} ms`);
  let answering: boolean | undefined;
  let silentUntil = 0;
  let closing = false;

  function lost(error: unknown): void {
    const text = 'Redis does not respond; this process counts its requests separately.';
    if (answering !== false && !closing) log.warn({ err: error }, text);
    answering = false;
  }

  function found(): void {
    if (answering === false) log.info({}, 'Redis responds again; the rate limits are shared.');
    answering = true;
  }

  const connection = openRedis(url, lost);
  async function answered<T>(ask: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    // While Redis hangs, what is sent would stay in memory, and be counted a second time when it goes on.
    const redis = connection.ready();
    if (redis === undefined || performance.now() < silentUntil) return undefined;
    const asked = ask(redis);
    try {
      const answer = await inTime(asked);
      found();
      return answer;
    } catch (error) {
      silentUntil = performance.now() + pauseMs;
      connection.addLate(asked);
      lost(error);
      return undefined;
    }
  }

  return {
    take: (key, rate, weight = 1) =>
      answered((redis) => redis.takeInRedis(`colophon:rate:${key}`, rate, weight)),
    charge: async (key, rate, requests) => {
      const bucket = `colophon:rate:${key}`;
      return (await answered((redis) => redis.chargeInRedis(bucket, rate, requests))) !== undefined;
    },
    [Symbol.asyncDispose]: async () => {
      closing = true;
      await connection[Symbol.asyncDispose]();
    },
  };
}
