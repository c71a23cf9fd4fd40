// A real Redis for a test, on a socket of its own; a machine without redis-server skips such tests.
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { findProgram } from './installed-programs.ts';
import { suspend } from './suspend.ts';
import { ownPort } from './own-port.ts';

/** The path of a Redis server on this machine. */
const program = findProgram('redis-server') ?? findProgram('valkey-server');

/** The client that is installed with the server: redis-cli or valkey-cli. */
const client = (server: string) =>
  join(dirname(server), basename(server).replace(/-server$/, '-cli'));

/** For `skip`: false where Redis can be started, else the reason. */
export const withoutRedis: string | false =
  program === undefined && 'no redis-server on this machine: install it to run this test';

export interface TestRedis extends AsyncDisposable {
  readonly url: string;
  /** Ends it at once, as a power failure would. */
  kill(): Promise<void>;
  /** Starts it again, empty, at the same address. */
  start(): Promise<void>;
  /** It keeps its connections and answers nothing, until `thaw`. */
  freeze(): Promise<void>;
  thaw(): void;
  /** How many scripts it has run since its start. Blocks this process, which reads nothing meanwhile. */
  scriptsRun(): number;
  /** How many connections it has, apart from the one that asks. */
  connections(): Promise<number>;
  /** Every key there is. */
  keys(): Promise<readonly string[]>;
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on('error', () => undefined);
    try {
      await client.connect();
      client.destroy();
      return;
    } catch {
      await wait(20);
    }
  }
}

/** Starts Redis on a free port of the loopback address. */
export async function startRedis(): Promise<TestRedis> {
  if (program === undefined) throw new Error(String(withoutRedis));
  const folder = await mkdtemp(join(tmpdir(), 'colophon-redis-'));
  const port = await ownPort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function kill(): Promise<void> {
    const ending = child;
    child = undefined;
    if (ending === undefined) return;
    const ended = once(ending, 'exit');
    ending.kill('SIGKILL');
    await ended;
  }

  async function start(): Promise<void> {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    child = spawn(program ?? '', settings, { stdio: 'ignore' });
    await answers(url);
  }

  await start();
  return {
    url,
    kill,
    start,
    freeze: () => suspend(child),
    thaw: () => void child?.kill('SIGCONT'),
    scriptsRun: () => {
      const args = ['-u', url, 'INFO', 'commandstats'];
      const stats = execFileSync(client(program), args, { encoding: 'utf8' });
      return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1]);
    },
    connections: async () => {
      const client = await createClient({ url }).connect();
      const clients = await client.clientList();
      client.destroy();
      return clients.length - 1;
    },
    keys: async () => {
      const client = await createClient({ url }).connect();
      const keys = await client.keys('*');
      client.destroy();
      return keys;
    },
    [Symbol.asyncDispose]: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
