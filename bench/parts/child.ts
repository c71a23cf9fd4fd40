// Starts programs to measure, waits until they respond, and stops them by pid.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { quotaActions } from '@colophon/contract';
import { rateNames } from '../../packages/contract/src/allowances.ts';
import { freePort } from '../../packages/server/src/http/index.ts';

const pollMs = 5;
const startSeconds = 60;
const root = join(import.meta.dirname, '..', '..');
export const serverProgram = join(root, 'packages/server/src/main.mjs');

export interface Child extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  /** From the spawn to the first response of `ready`. */
  readonly startSeconds: number;
}

export interface Start {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** The path that returns 200 when the program is ready. */
  readonly ready: string;
  readonly nodeArguments?: readonly string[];
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status === 200;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  /** The path that returns 200 when the program is ready, or a function that finds it out. */
  readonly ready: string | (() => Promise<boolean>);
}

/** Starts a program and waits until it is ready. Its output is written to our standard error. */
export async function startProgram({
  command,
  args,
  cwd,
  env,
  url,
  ready,
}: Program): Promise<Child> {
  const since = performance.now();
  // Standard output is for figures.
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 2, 2] });
  const ended = once(child, 'exit');
  const isReady = typeof ready === 'string' ? () => answers(url + ready) : ready;
  while (!(await isReady())) {
    if (child.exitCode !== null)
      throw new Error(`${command} ${args.join(' ')} ended with ${child.exitCode} too early.`);
    if (performance.now() - since > startSeconds * 1000) {
      child.kill('SIGKILL');
      throw new Error(`${command} ${args.join(' ')} was not ready after ${startSeconds} s.`);
    }
    await wait(pollMs);
  }
  return {
    pid: child.pid ?? 0,
    url,
    startSeconds: (performance.now() - since) / 1000,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts a program of ours that listens on PORT, with this Node.js. */
export async function startChild({
  program,
  env,
  ready,
  nodeArguments = [],
}: Start): Promise<Child> {
  const port = await freePort('127.0.0.1');
  return startProgram({
    command: process.execPath,
    args: [...nodeArguments, program],
    cwd: tmpdir(),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'fatal',
      ...env,
    },
    url: `http://127.0.0.1:${port}`,
    ready,
  });
}

/** Limits that are counted and charged, but never reached. */
export const wideLimits = {
  rates: Object.fromEntries(rateNames.map((name) => [name, 1e12])),
  quotas: Object.fromEntries(quotaActions.map((name) => [name, [1e12, 1e12, 1e12, 1e12]])),
};

/**
 * Starts the server on a database that is already running. `env` overrides the settings for benchmarks;
 * `nodeArguments` are passed to Node.js.
 */
export async function startColophon(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  nodeArguments: readonly string[] = [],
): Promise<Child> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const limits = join(folder, 'limits.json');
  await writeFile(limits, JSON.stringify(wideLimits));
  const child = await startChild({
    program: serverProgram,
    env: { DATABASE_URL: databaseUrl, DATA_DIR: folder, LIMITS: limits, ...env },
    ready: '/readyz',
    nodeArguments,
  });
  return {
    ...child,
    [Symbol.asyncDispose]: async () => {
      await child[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a worker without HTTP on a database that is already running. */
export async function startWorker(
  databaseUrl: string,
): Promise<Pick<Child, 'pid'> & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const child = spawn(process.execPath, [serverProgram], {
    cwd: tmpdir(),
    env: {
      PATH: process.env['PATH'] ?? '',
      LOG_LEVEL: 'fatal',
      ROLE: 'worker',
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
    },
    stdio: ['ignore', 2, 2],
  });
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
