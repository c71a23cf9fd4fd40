// A load generator with a fixed rate, as a process of its own: what was answered, and how long that took.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface OpenLoad {
  readonly url: string;
  /** Paths for GET in turn, or one for POST if there is a body. */
  readonly paths: readonly string[];
  readonly body?: string;
  /** Used in turn. */
  readonly tokens?: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** undefined: each connection sends its next request when it was answered. */
  readonly perSecond?: number | undefined;
}

export interface OpenFigures {
  /** Answers by status; 0: the connection broke or there was no answer. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly goodPerSecond: number;
  /** Milliseconds of answers below 300, and of the others. */
  readonly good: Readonly<Record<'count' | 'p50' | 'p99', number>>;
  readonly refused: Readonly<Record<'count' | 'p50' | 'p99', number>>;
}

interface Answer {
  readonly status: number;
  readonly ms: number;
}

const answerMs = 20_000;

function send(load: OpenLoad, agent: Agent, number: number): Promise<Answer> {
  const { url, paths, body, tokens = [] } = load;
  const token = tokens[number % tokens.length];
  const since = performance.now();
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, ms: performance.now() - since });
    const sent = request(
      url + (paths[number % paths.length] ?? ''),
      {
        agent,
        method: body === undefined ? 'GET' : 'POST',
        timeout: answerMs,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
        },
      },
      (message) =>
        message.resume().on('close', () => end(message.complete ? (message.statusCode ?? 0) : 0)),
    );
    sent.on('timeout', () => sent.destroy()).on('error', () => end(0));
    sent.end(body);
  });
}

function percentiles(numbers: readonly number[]): OpenFigures['good'] {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}

async function run(load: OpenLoad): Promise<OpenFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const answers: Answer[] = [];
  const since = performance.now();
  const endMs = load.seconds * 1_000;
  const loops = Array.from({ length: load.connections }, async (_, index) => {
    for (let turn = 0; performance.now() - since < endMs; turn += 1) {
      const number = turn * load.connections + index;
      const dueMs = load.perSecond === undefined ? 0 : (number / load.perSecond) * 1_000;
      if (dueMs >= endMs) return;
      const early = dueMs - (performance.now() - since);
      if (early > 0) await wait(early);
      answers.push(await send(load, agent, number));
    }
  });
  await Promise.all(loops);
  const seconds = (performance.now() - since) / 1_000;
  agent.destroy();
  const good = answers.filter(({ status }) => status >= 200 && status < 300);
  const refused = answers.filter(({ status }) => status === 429 || status === 503);
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    statuses,
    goodPerSecond: good.length / seconds,
    good: percentiles(good.map(({ ms }) => ms)),
    refused: percentiles(refused.map(({ ms }) => ms)),
  };
}

/** Runs the load in a process of its own. */
export async function runOpenLoad(load: OpenLoad): Promise<OpenFigures> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 2],
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(child, 'close');
  return JSON.parse(text) as OpenFigures;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '') as OpenLoad)));
