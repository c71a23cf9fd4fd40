// The real server as a process of its own: started, asked when it is ready, listened to, killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inspectDataDir } from '#database';
import { makeFastFolder } from '../fast-folder.ts';
import { copyPreparedFolder } from '../prepared-folder.ts';
import { serverProgram } from '../programs.ts';
import { until } from '../throw-away-database.ts';
import { killAllIn } from './child-processes.ts';
import { ownPort } from '../own-port.ts';

/** The runner finds the processes of a run by its temporary folder, and the service reads no such setting. */
export const runMark = { COLOPHON_TEST_RUN: tmpdir() } as const;

export interface LogLine {
  readonly msg?: string;
  readonly reason?: string;
  readonly [field: string]: unknown;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** From the start of the process. */
  readonly afterMs: number;
}

export interface ServerProcess {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  readonly log: readonly LogLine[];
  complaint(): string;
  kill(signal: NodeJS.Signals): void;
  /** Milliseconds from the start of the process until /readyz answered 200. */
  ready(baseUrl: string): Promise<number>;
}

/** A folder for one server, a port that stays the same over restarts, and the processes on it. */
export interface Place extends AsyncDisposable {
  readonly folder: string;
  readonly dataDir: string;
  readonly port: number;
  readonly baseUrl: string;
  start(settings?: Readonly<Record<string, string>>, program?: string): ServerProcess;
  /** A connection to the embedded database past all rules of the code. */
  connect(): Promise<pg.Client>;
  postmasterPid(): Promise<number>;
  /** Whether a PostgreSQL works on the folder. */
  databaseRuns(): Promise<boolean>;
}

/** Headers of a request whose connection is not kept: a stop that follows would wait for it to drain. */
export const unkept = { connection: 'close' } as const;

async function untilReady(baseUrl: string, over: () => boolean): Promise<void> {
  for (;;) {
    if (over()) throw new Error('The server ended before it was ready.');
    const answer = await fetch(`${baseUrl}/readyz`, { headers: unkept }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await wait(20);
  }
}

function follow(text: string, rest: string, log: LogLine[]): string {
  const lines = (rest + text).split('\n');
  const left = lines.pop() ?? '';
  for (const line of lines)
    log.push(line.startsWith('{') ? (JSON.parse(line) as LogLine) : { msg: line });
  return left;
}

/** Starts the server, or a program of the tests, with these settings and nothing of the surrounding environment but PATH. */
export function startProcess(
  folder: string,
  settings: Readonly<Record<string, string>>,
  program = serverProgram,
): ServerProcess {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...runMark, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails at once must not leave its server running.
  const reap = () => void child.kill('SIGKILL');
  process.once('exit', reap);
  const log: LogLine[] = [];
  let rest = '';
  let complaint = '';
  let over = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (rest = follow(text, rest, log)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const ended = once(child, 'close').then(([code, signal]) => {
    over = true;
    process.off('exit', reap);
    return {
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      afterMs: performance.now() - startedAt,
    };
  });
  return {
    pid: child.pid ?? 0,
    ended,
    log,
    complaint: () => complaint,
    kill: (signal) => void child.kill(signal),
    ready: async (baseUrl) => {
      await untilReady(baseUrl, () => over);
      return performance.now() - startedAt;
    },
  };
}

async function connectTo(dataDir: string): Promise<pg.Client> {
  const found = await inspectDataDir(dataDir);
  if (found.state !== 'running') throw new Error(`The database is ${found.state}.`);
  const client = new pg.Client(found.connection);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Makes the folder, with a database that is migrated and empty, or without one where the first start is to make it. Its
 * end kills what still runs there and removes it.
 */
export async function makePlace(database: 'prepared' | 'none' = 'prepared'): Promise<Place> {
  // A killed process loses nothing that it wrote there; only a machine that loses its power would.
  const folder = await makeFastFolder();
  // PostgreSQL may run as another user, who must be able to pass through.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  if (database === 'prepared') await copyPreparedFolder(dataDir);
  const port = await ownPort('::1');
  const started: ServerProcess[] = [];
  const databaseRuns = async () => (await inspectDataDir(dataDir)).state === 'running';
  return {
    folder,
    dataDir,
    port,
    baseUrl: `http://localhost:${port}`,
    databaseRuns,
    start: (settings = {}, program = serverProgram) => {
      const usual = { PORT: String(port), DATA_DIR: dataDir, LIMITS: 'off' };
      const one = startProcess(folder, { ...usual, ...settings }, program);
      started.push(one);
      return one;
    },
    connect: () => connectTo(dataDir),
    postmasterPid: async () =>
      Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]),
    [Symbol.asyncDispose]: async () => {
      for (const one of started) one.kill('SIGKILL');
      await killAllIn(await realpath(folder));
      await Promise.all(started.map((one) => one.ended));
      await until('the database of the killed server ends', async () => !(await databaseRuns()));
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
