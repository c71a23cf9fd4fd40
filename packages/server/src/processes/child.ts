// One process of the supervisor: started, listened to, stopped.
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { ToProcess, ToSupervisor } from './messages.ts';

export interface Slot {
  /** Name in the log and in metrics, such as `web-1`. */
  readonly name: string;
  readonly role: 'all' | 'web' | 'worker';
}

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Child {
  readonly id: number;
  readonly slot: Slot;
  readonly pid: number | undefined;
  readonly startedAt: number;
  /** The addresses on which it listens; undefined if it ended before it was ready. */
  readonly ready: Promise<readonly string[] | undefined>;
  readonly ended: Promise<Ending>;
  /** Whether it was told to stop. */
  isStopping(): boolean;
  isReady(): boolean;
  /**
   * Milliseconds since it started, or since its migration of the database ended; 0 during a migration, which
   * may take as long as it needs.
   */
  startingMs(): number;
  send(message: ToProcess): void;
  /** Lets it finish its requests and jobs; resolves when it has ended. */
  stop(): Promise<void>;
  kill(): void;
}

/** A process ends on its own 8 seconds after the signal. */
const stopMs = 8_500;

interface Started {
  readonly slot: Slot;
  readonly environment: Readonly<Record<string, string>>;
  readonly heard: (child: Child, message: ToSupervisor) => void;
}

/** Resolves with the ending, even if the operating system refused to start the process. */
function endOf(worker: Worker): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  worker.once('exit', (code, signal) => resolve({ code, signal }));
  worker.on('error', () => {
    if (worker.process.pid === undefined) resolve({ code: null, signal: null });
  });
  return promise;
}

/**
 * Starts a process of the program that `prepare` named.
 * @throws Error if there is not enough memory or no file descriptor for it
 */
export function startChild({ slot, environment, heard }: Started): Child {
  const worker = cluster.fork(environment);
  const ready = Promise.withResolvers<readonly string[] | undefined>();
  const ended = endOf(worker);
  let isReady = false;
  let stopping = false;
  const startedAt = performance.now();
  let startingSince: number | undefined = startedAt;
  void ended.then(() => ready.resolve(undefined));
  const child: Child = {
    id: worker.id,
    slot,
    pid: worker.process.pid,
    startedAt,
    ready: ready.promise,
    ended,
    isStopping: () => stopping,
    isReady: () => isReady,
    startingMs: () => performance.now() - (startingSince ?? performance.now()),
    send: (message) => {
      // A process that is ending has closed its channel.
      if (worker.isConnected()) worker.send(message, () => undefined);
    },
    stop: async () => {
      stopping = true;
      worker.process.kill('SIGTERM');
      const late = new AbortController();
      const tooLong = wait(stopMs, 'late', { signal: late.signal }).catch(() => 'late');
      if ((await Promise.race([ended, tooLong])) === 'late') worker.process.kill('SIGKILL');
      late.abort();
      await ended;
    },
    kill: () => void worker.process.kill('SIGKILL'),
  };
  worker.on('message', (message: ToSupervisor) => {
    if (message.kind === 'ready') {
      isReady = true;
      ready.resolve(message.listening);
    } else if (message.kind === 'migrating')
      startingSince = message.over ? performance.now() : undefined;
    else heard(child, message);
  });
  return child;
}

/**
 * Names the program that processes run. All of them accept connections from one listening socket, which this
 * process holds without accepting: no connection is lost when one of them closes it or is killed.
 */
export function prepare(program: string): void {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: program, args: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}
