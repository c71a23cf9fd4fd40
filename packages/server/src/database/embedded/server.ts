// The running server: starting, waiting until it is ready, and stopping.

import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { failure, orExternal } from './failure.ts';
import { launch, reasonIn } from './launch.ts';
import type { Child, Launcher } from './launch.ts';
import { readPidFile } from './pid-file.ts';
import { followServerLog } from './server-log.ts';
import { settingArguments } from './settings.ts';
import type { SocketFolder } from './socket-folder.ts';
import { STOP_STEPS } from './takeover.ts';
import type { EmbeddedLog } from './types.ts';

const POLL_MS = 2;

export type ServerPlan = {
  binaries: Binaries;
  launcher: Launcher;
  folder: string;
  socket: SocketFolder;
  settings: Record<string, string>;
  log: EmbeddedLog;
  starting?: (() => void) | undefined;
};

/** `ended` resolves when the server has ended, stopped or not. */
export type Server = { pid: number; ended: Promise<void>; stop(): Promise<void> };

/** Starts PostgreSQL on `folder` and waits until it accepts connections, including crash recovery. */
export async function startServer(plan: ServerPlan): Promise<Server> {
  const { folder, binaries } = plan;
  const args = (name: string): string[] => [
    '-D',
    name,
    ...settingArguments(folder, plan.socket, plan.settings),
  ];
  const child = await launch(plan.launcher, { program: binaries.postgres, folder, args });
  child.stdin.end();
  child.stdout.resume();
  const lastLines = followServerLog(child.stderr, plan.log);
  const life = follow(child);
  const stop = (): Promise<void> => stopServer(child, life);
  await using unready = new AsyncDisposableStack();
  unready.defer(stop);
  if (life.spawnError() === undefined) plan.starting?.();
  // A recovery may take long: there is no deadline while the server runs.
  while (!life.over() && !(await isReady(folder, child.pid)))
    await Promise.race([delay(POLL_MS), life.ended]);
  if (life.over() || child.pid === undefined) {
    await life.closed;
    const said = lastLines();
    const reason = life.spawnError()?.message ?? reasonIn(said);
    throw failure(
      `PostgreSQL did not start on ${folder} (${reason}): see the log above, ${orExternal}.`,
      life.spawnError() ?? new Error(said),
    );
  }
  unready.move();
  return { pid: child.pid, ended: life.ended, stop };
}

type Life = {
  ended: Promise<void>;
  /** Resolves when the server has ended and all of its output was read. */
  closed: Promise<void>;
  over(): boolean;
  spawnError(): Error | undefined;
};

function follow(child: Child): Life {
  const ended = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let over = false;
  let spawnError: Error | undefined;
  const end = (): void => {
    over = true;
    ended.resolve();
  };
  child.once('exit', end).once('close', closed.resolve);
  child.once('error', (error) => {
    spawnError = error;
    end();
    closed.resolve();
  });
  return {
    ended: ended.promise,
    closed: closed.promise,
    over: () => over,
    spawnError: () => spawnError,
  };
}

async function isReady(folder: string, pid: number | undefined): Promise<boolean> {
  const file = await readPidFile(folder);
  return file !== undefined && file !== 'broken' && file.pid === pid && file.ready;
}

async function stopServer(child: Child, life: Life): Promise<void> {
  for (const [signal, waitMs] of STOP_STEPS) {
    if (life.over()) return;
    child.kill(signal);
    const timer = new AbortController();
    await Promise.race([
      life.ended,
      delay(waitMs, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
  }
}
