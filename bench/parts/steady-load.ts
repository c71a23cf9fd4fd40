// Requests at a fixed rate, whatever the answers take. What each of them asks for is the turn's choice.
import { setTimeout as wait } from 'node:timers/promises';
import type { Registered } from './author.ts';

export interface LoadCounts {
  /** Answers by status; 0: no answer came. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What answered with 5xx or not at all: method, path and answer, the first twenty. */
  readonly failures: readonly string[];
  readonly requests: number;
  /** Turns that were left out because too many had not ended. */
  readonly skipped: number;
  /** Milliseconds of each answer in the order of the answers, of GET and of the others. */
  readonly readMs: readonly number[];
  readonly writeMs: readonly number[];
}

interface SteadyLoad extends LoadCounts {
  /** Sends no more, and waits until everything is answered. */
  stop(): Promise<void>;
}

export interface Load {
  readonly url: string;
  readonly authors: readonly Registered[];
  readonly perSecond: number;
  /** The rate rises for so long: a process that has just started compiles what it runs and would queue the rest. */
  readonly risesForMs?: number;
  readonly random: () => number;
  readonly turn: (given: Given) => Promise<unknown>;
}

export interface Given {
  readonly authors: readonly Registered[];
  readonly random: () => number;
  readonly send: Send;
  readonly content: Content;
}

export type Send = (
  method: string,
  path: string,
  author?: Registered,
  body?: unknown,
) => Promise<Readonly<Record<string, string>>>;

export interface Content {
  readonly articles: { readonly id: string; readonly page: string; readonly author: Registered }[];
}

const answerMs = 30_000;
const runningMax = 200;

export function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** Participants have an address each, and other readers one of two hundred. */
function addressOf(author: Registered | undefined, random: () => number): string {
  const last = author === undefined ? Math.floor(random() * 200) : author.id.charCodeAt(25);
  const third = author === undefined ? 1 : author.id.charCodeAt(24);
  return `10.0.${third}.${last}`;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends one request; status 0 stands for no answer. */
async function exchange(
  { url, random }: Load,
  target: { readonly method: string; readonly path: string },
  { author, body }: { readonly author: Registered | undefined; readonly body: unknown },
): Promise<Answer> {
  const isBytes = body instanceof Buffer;
  const headers = new Headers({
    // Work of one address waits for its turn, so that readers of many do not wait for a reader of much.
    'x-forwarded-for': addressOf(author, random),
    'idempotency-key': crypto.randomUUID(),
  });
  if (author !== undefined) headers.set('authorization', `Bearer ${author.token}`);
  if (body !== undefined)
    headers.set('content-type', isBytes ? 'application/octet-stream' : 'application/json');
  const sent = isBytes ? new Uint8Array(body) : (JSON.stringify(body) as string | undefined);
  return fetch(url + target.path, {
    method: target.method,
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMs),
    headers,
    body: sent ?? null,
  })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: Error) => ({ status: 0, text: error.message }));
}

/** When a request is due, in milliseconds since the start. */
function dueMs({ perSecond, risesForMs: rise = 0 }: Load, sent: number): number {
  const full = (sent * 1_000) / perSecond + rise / 2;
  // Until then the rate has grown in proportion to the time.
  return full < rise ? Math.sqrt((sent * 2_000 * rise) / perSecond) : full;
}

/** Starts the load. A request is sent at its time even if those before it have not been answered. */
export function startSteadyLoad(load: Load): SteadyLoad {
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  const [readMs, writeMs]: [number[], number[]] = [[], []];
  const running = new Set<Promise<unknown>>();
  const content: Content = { articles: [] };
  let requests = 0;
  let skipped = 0;
  let stopped = false;

  const send: Send = async (method, path, author, body) => {
    requests += 1;
    const since = performance.now();
    const { status, text } = await exchange(load, { method, path }, { author, body });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const isFailure = status === 0 || status >= 500;
    if (isFailure && failures.length < 20)
      failures.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    const times = method === 'GET' ? readMs : writeMs;
    if (!path.includes('wait=')) times.push(performance.now() - since);
    const isRecord = status < 300 && text.startsWith('{');
    return isRecord ? (JSON.parse(text) as Record<string, string>) : {};
  };

  async function go(): Promise<void> {
    const since = performance.now();
    for (let sent = 0; !stopped; sent += 1) {
      const early = since + dueMs(load, sent) - performance.now();
      if (early > 0) await wait(early);
      // A generator that cannot keep up must not answer with a burst: it would measure itself.
      if (running.size >= runningMax) {
        skipped += 1;
        await wait(1);
        continue;
      }
      const one = load.turn({ ...load, send, content }).finally(() => running.delete(one));
      running.add(one);
    }
  }

  const going = go();
  return {
    statuses,
    failures,
    readMs,
    writeMs,
    get requests() {
      return requests;
    },
    get skipped() {
      return skipped;
    },
    stop: async () => {
      stopped = true;
      await going;
      await Promise.allSettled(running);
    },
  };
}
