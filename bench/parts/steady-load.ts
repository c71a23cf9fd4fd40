// Requests at a fixed rate, whatever the answers take. What each of them asks for is the turn's choice.
import { Agent, request } from 'node:http';
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

function headersOf(
  random: () => number,
  author: Registered | undefined,
  body: string | Buffer | undefined,
): Readonly<Record<string, string>> {
  return {
    // Work of one address waits for its turn, so that readers of many do not wait for a reader of much.
    'x-forwarded-for': addressOf(author, random),
    'idempotency-key': crypto.randomUUID(),
    ...(author !== undefined && { authorization: `Bearer ${author.token}` }),
    ...(body !== undefined && {
      'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
    }),
  };
}

/**
 * Opens the sending of requests, of which each takes a quarter of the processor time of one with `fetch`: the generator
 * shares the machine with what it measures.
 */
function openExchange({ url, random }: Load) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  /** Sends one request; status 0 stands for no answer. */
  const exchange = (method: string, path: string, author: Registered | undefined, body: unknown) =>
    new Promise<Answer>((resolve) => {
      const sent =
        body === undefined || body instanceof Buffer ? body : (JSON.stringify(body) as string);
      const headers = headersOf(random, author, sent);
      const sending = request({ hostname, port, method, path, headers, agent, timeout: answerMs });
      const fail = (error: Error) => resolve({ status: 0, text: error.message });
      sending.on('error', fail);
      sending.on('timeout', () => sending.destroy(new Error(`No answer in ${answerMs} ms.`)));
      sending.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('error', fail);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sending.end(sent);
    });
  return { exchange, close: () => agent.destroy() };
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
  const { exchange, close } = openExchange(load);
  const content: Content = { articles: [] };
  let requests = 0;
  let skipped = 0;
  let stopped = false;

  const send: Send = async (method, path, author, body) => {
    requests += 1;
    const since = performance.now();
    const { status, text } = await exchange(method, path, author, body);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if ((status === 0 || status >= 500) && failures.length < 20)
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
      close();
    },
  };
}
