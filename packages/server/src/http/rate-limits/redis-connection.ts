// The connection to Redis: it is opened again for as long as it is needed, and replaced when it stays silent.
import { createClient, defineScript } from '@redis/client';
import type { CommandParser } from '@redis/client';
import { inTime } from '#lib/in-time';
import type { Outcome, Rate } from '#lib/token-bucket';

const reconnectMsMax = 2_000;
/**
 * After as many milliseconds without an answer that is due, the connection is replaced: its machine may have vanished
 * without closing it, which the kernel reports after a quarter of an hour.
 */
const silentMsMax = 5_000;

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

function createRedis(url: string, closing: AbortSignal) {
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

export type Redis = ReturnType<typeof createRedis>;

/**
 * Asks once, as a request does. With a `weight`, it also stores a key, which expires after a second.
 * @throws Error if the server cannot be reached, refuses, or does not answer in time
 */
export async function askRedis(url: string, weight: 0 | 1): Promise<void> {
  const closed = new AbortController();
  closed.abort();
  const client = createRedis(url, closed.signal);
  client.on('error', () => undefined);
  const asking = client.connect().then(() => {
    const rate = { requests: weight, windowMs: 1_000 };
    return client.takeInRedis('colophon:rate:doctor', rate, weight);
  });
  try {
    await inTime(
      asking,
      silentMsMax,
      new Error(`It did not answer within ${silentMsMax / 1_000} s.`),
    );
  } finally {
    client.destroy();
  }
}

/** Requests that missed their deadline, until they are answered or their connection is lost. */
function openLate({ started, ended }: Record<'started' | 'ended', () => void>) {
  const asked = new Set<Promise<unknown>>();
  const settled = (one: Promise<unknown>) => {
    if (asked.delete(one) && asked.size === 0) ended();
  };
  return {
    any: () => asked.size > 0,
    clear: () => asked.clear(),
    add: (one: Promise<unknown>) => {
      if (asked.size === 0) started();
      asked.add(one);
      const end = () => settled(one);
      one.then(end, end);
    },
  };
}

/** One client; `silent` is called when an answer of its server has been due for too long. */
function connect(
  url: string,
  { lost, silent }: Record<'lost' | 'silent', (error?: unknown) => void>,
) {
  const closing = new AbortController();
  const client = createRedis(url, closing.signal);
  let due: NodeJS.Timeout | undefined;
  const nothingDue = () => clearTimeout(due);
  const answerDue = () => {
    nothingDue();
    due = setTimeout(silent, silentMsMax).unref();
  };
  const late = openLate({ started: answerDue, ended: nothingDue });
  // Between the two, the server answers who it is.
  client.on('connect', answerDue).on('ready', () => {
    nothingDue();
    late.clear();
  });
  client.on('error', (error: unknown) => {
    nothingDue();
    lost(error);
  });
  const connected = client.connect().catch(lost);
  return {
    client,
    late,
    close: async () => {
      closing.abort();
      nothingDue();
      client.destroy();
      // A connection that was being established would still open and keep the process alive.
      await connected;
      client.destroy();
    },
  };
}

export interface RedisConnection extends AsyncDisposable {
  /** Undefined while there is no connection, or one that owes an answer. */
  readonly ready: () => Redis | undefined;
  /** Remembers a request that was sent and not answered in time. */
  readonly addLate: (asked: Promise<unknown>) => void;
}

/** Connects in the background and retries until it is disposed; `lost` is called with each failure. */
export function openRedis(url: string, lost: (error: unknown) => void): RedisConnection {
  const begin = () => connect(url, { lost, silent: () => replace() });
  let current = begin();
  function replace(): void {
    const { close } = current;
    current = begin();
    void close();
  }
  return {
    ready: () => (current.client.isReady && !current.late.any() ? current.client : undefined),
    addLate: (asked) => current.late.add(asked),
    [Symbol.asyncDispose]: () => current.close(),
  };
}
