// Buckets in Redis, shared by all processes and hosts; without a response, the process counts locally.
import { createClient, defineScript } from '@redis/client';
import type { CommandParser } from '@redis/client';
import type { Outcome, Rate } from '#lib/token-bucket';
import { openDeadlines } from './deadlines.ts';

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
const reconnectMsMax = 2_000;

/**
 * The arithmetic of token-bucket.ts for all processes: on one clock, that of Redis, and in one step. The key
 * expires when the bucket is full.
 */
const takeInRedis = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local requests, window = tonumber(ARGV[1]), tonumber(ARGV[2])
    local time = redis.call('TIME')
    local now = time[1] * 1000 + time[2] / 1000
    local owed = (tonumber(redis.call('GET', KEYS[1])) or now) - now
    owed = math.min(math.max(owed, 0), window)
    if requests == 0 then return {0, tostring(owed)} end
    local step = window / requests
    local after = owed + step * math.min(tonumber(ARGV[3]), requests)
    if after > window + math.min(step / 100, 1) then return {0, string.format('%.6f', owed)} end
    redis.call('SET', KEYS[1], string.format('%.6f', now + after), 'PX', math.ceil(after))
    return {1, string.format('%.6f', after)}`,
  parseCommand: (parser: CommandParser, key: string, rate: Rate, weight: number) => {
    parser.pushKey(key);
    parser.push(String(rate.requests), String(rate.windowMs), String(weight));
  },
  transformReply: (reply: readonly [number, string]): Outcome => ({
    admitted: reply[0] === 1,
    debtMs: Number(reply[1]),
  }),
});

/** `charge` of token-bucket.ts, in the same way. */
const chargeInRedis = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local requests, window, more = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
    if requests == 0 then return 0 end
    local time = redis.call('TIME')
    local now = time[1] * 1000 + time[2] / 1000
    local owed = math.max((tonumber(redis.call('GET', KEYS[1])) or now) - now, 0)
    local after = math.min(owed + window / requests * more, window)
    redis.call('SET', KEYS[1], string.format('%.6f', now + after), 'PX', math.ceil(after))
    return 1`,
  parseCommand: (parser: CommandParser, key: string, rate: Rate, more: number) => {
    parser.pushKey(key);
    parser.push(String(rate.requests), String(rate.windowMs), String(more));
  },
  transformReply: (reply: number) => reply,
});

function clientOf(url: string, closing: AbortSignal) {
  return createClient({
    url,
    scripts: { takeInRedis, chargeInRedis },
    // A request that cannot be sent now is counted locally: nothing is queued.
    disableOfflineQueue: true,
    // The client's own deadline creates a signal for each command and does not end one that was sent.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (retries) =>
        closing.aborted ? false : Math.min(50 * 2 ** retries, reconnectMsMax),
    },
  });
}

/** Requests that missed their deadline, until they are answered or their connection is lost. */
function openLate(client: ReturnType<typeof clientOf>) {
  const asked = new Set<Promise<unknown>>();
  client.on('ready', () => asked.clear());
  return {
    any: () => asked.size > 0,
    add: (one: Promise<unknown>) => {
      asked.add(one);
      const settled = () => void asked.delete(one);
      one.then(settled, settled);
    },
  };
}

/**
 * Opens the buckets. It connects in the background and retries forever: an unavailable Redis delays neither
 * the start nor a request.
 */
export function openSharedBuckets(url: string, log: Log, waitMs = deadlineMs): SharedBuckets {
  const closing = new AbortController();
  const client = clientOf(url, closing.signal);
  const inTime = openDeadlines(waitMs, `Redis did not answer within ${waitMs} ms`);
  const late = openLate(client);
  let answering: boolean | undefined;
  let silentUntil = 0;

  function lost(error: unknown): void {
    const text = 'Redis does not respond; this process counts its requests separately.';
    if (answering !== false && !closing.signal.aborted) log.warn({ err: error }, text);
    answering = false;
  }

  function found(): void {
    if (answering === false) log.info({}, 'Redis responds again; the rate limits are shared.');
    answering = true;
  }

  client.on('error', lost);
  const connected = client.connect().catch(lost);
  async function answered<T>(ask: () => Promise<T>): Promise<T | undefined> {
    // While Redis hangs, what is sent would stay in memory, and be counted a second time when it goes on.
    if (!client.isReady || late.any() || performance.now() < silentUntil) return undefined;
    const asked = ask();
    try {
      const answer = await inTime(asked);
      found();
      return answer;
    } catch (error) {
      silentUntil = performance.now() + pauseMs;
      late.add(asked);
      lost(error);
      return undefined;
    }
  }

  return {
    take: (key, rate, weight = 1) =>
      answered(() => client.takeInRedis(`colophon:rate:${key}`, rate, weight)),
    charge: async (key, rate, requests) => {
      const ask = () => client.chargeInRedis(`colophon:rate:${key}`, rate, requests);
      return (await answered(ask)) !== undefined;
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      client.destroy();
      // A connection that was being established would still open and keep the process alive.
      await connected;
      client.destroy();
    },
  };
}
