// A server of several processes as its tests see it: its log, its pids, and requests on connections of their own.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../throw-away-database.ts';
import { isAlive } from './child-processes.ts';
import { unkept } from './server-process.ts';
import type { LogLine, Place, ServerProcess } from './server-process.ts';

export const serves = ({ log }: ServerProcess) =>
  log.some(({ msg }) => msg?.startsWith('Colophon serves on') === true);

/** Pids of the web processes, in the order in which they became ready. */
export function pidsOf({ log }: ServerProcess, role = 'web'): number[] {
  return log
    .filter((line) => line.msg === 'The process is ready.' && line['role'] === role)
    .map((line) => Number(line['pid']));
}

/** Pids of the two web processes that run, as soon as a replaced one has ended: the order of becoming ready does not tell which those are. */
export async function runningPidsOf(server: ServerProcess): Promise<[number, number]> {
  let running: number[] = [];
  await until('two web processes run', async () => {
    const ready = pidsOf(server);
    const alive = ready.map(isAlive);
    running = ready.filter((_, at) => alive[at]);
    return running.length === 2;
  });
  const [first, second] = running;
  assert.ok(first !== undefined && second !== undefined);
  return [first, second];
}

export const linesWith = ({ log }: ServerProcess, text: string): LogLine[] =>
  log.filter(({ msg }) => msg?.includes(text) === true);

// Members are looked at by name.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = Record<string, any>;

export interface Sent {
  /** The code of the error where there was no whole answer. */
  readonly status: number | string;
  readonly json: Json;
}

interface Asked {
  readonly token?: string;
  readonly body?: object;
  readonly key?: string;
  /** The loopback address that it comes from; each is a network address of its own. */
  readonly from?: string;
  readonly agent?: Agent | false;
}

function optionsOf(method: string, { token, key, body, from = '127.0.0.1', agent }: Asked) {
  const headers: Record<string, string> = {};
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (method === 'POST') headers['idempotency-key'] = key ?? crypto.randomUUID();
  if (body !== undefined) headers['content-type'] = 'application/json';
  return { method, headers, localAddress: from, agent: agent ?? false };
}

/** Returns a function that sends a request, on a connection of its own unless there is an agent. */
export const senderTo =
  ({ port }: Place) =>
  (method: string, path: string, asked: Asked = {}): Promise<Sent> =>
    new Promise((resolve) => {
      const url = `http://127.0.0.1:${port}${path}`;
      const sent = request(url, optionsOf(method, asked), (message) => {
        let text = '';
        message.setEncoding('utf8').on('data', (part: string) => (text += part));
        message.on('close', () => {
          const status = message.complete ? (message.statusCode ?? 0) : 'cut';
          resolve({ status, json: text.startsWith('{') ? (JSON.parse(text) as Json) : {} });
        });
      });
      sent.on('error', (error: NodeJS.ErrnoException) =>
        resolve({ status: error.code ?? 'error', json: {} }),
      );
      sent.end(asked.body === undefined ? undefined : JSON.stringify(asked.body));
    });

export type Send = ReturnType<typeof senderTo>;

export function countOf(all: readonly Sent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of all) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export const many = <T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));

/** Reads again and again until it is stopped, on kept and on new connections. */
export function hammer(send: Send, clients: number) {
  const outcomes: Sent[] = [];
  const agent = new Agent({ keepAlive: true });
  let over = false;
  const all = many(clients, async (client) => {
    while (!over) {
      const from = `127.0.0.${10 + client}`;
      outcomes.push(await send('GET', '/v1/meta', { from, agent: client % 2 === 0 && agent }));
      // Enough to meet every moment, and little enough to leave the processor to the servers.
      await wait(20);
    }
  });
  return {
    outcomes,
    stop: async () => {
      over = true;
      await all;
      agent.destroy();
    },
  };
}

/** Returns the text of the first scrape that has a metric. */
export async function scrape({ baseUrl }: Place, metric: string): Promise<string> {
  let text = '';
  await until(`${metric} is served`, async () => {
    text = await (await fetch(`${baseUrl}/metrics`, { headers: unkept })).text();
    return text.includes(`\n${metric} `);
  });
  return text;
}

/** Registrations answered with 429, as one series. */
export function refusedIn(text: string): number {
  const series =
    /^http_request_duration_seconds_count\{.*route="\/v1\/humans",status="429"\} (\d+)$/m;
  return Number(series.exec(text)?.[1]);
}

/**
 * Whether nothing listens on the port of the place. It connects: the port of a connection that another test has opened
 * may be the same, and then nobody could listen there either.
 */
export function isPortFree({ port }: Place): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  // Without a listener, a connection to the port that it was given for itself succeeds.
  socket.once('connect', () => resolve(socket.localPort === port));
  socket.once('error', () => resolve(true));
  return promise.finally(() => socket.destroy());
}
