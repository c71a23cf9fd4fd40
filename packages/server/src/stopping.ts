// How a process stops: on a signal, with its launcher, or after an error that no code handled.
import type { Config } from '#config';
import type { openLog } from './log.ts';

type Log = ReturnType<typeof openLog>;
/** Stops everything in order and exits with the code. Only the first call has an effect. */
export type Stop = (reason: string, code: number) => Promise<void>;

/** Seconds from the signal until the process exits in any case, with the database that it started. */
export const stopSeconds = 10;
/** The same for a process of a supervisor, which then still stops the database. */
export const stopSecondsOfProcess = 8;
export const databaseEnded = 'the database ended';
const asRoot =
  'The server runs as root. Create a user for it (useradd --system colophon), give it DATA_DIR (chown -R colophon), and start as that user (setpriv --reuid colophon --regid colophon --init-groups npm start).';

export function warnAsRoot(log: Log): void {
  if (process.geteuid?.() === 0) log.warn({}, asRoot);
}

/**
 * Detects the end of the launcher. npm forwards SIGTERM and SIGINT, but not SIGHUP, and SIGKILL cannot be
 * forwarded.
 */
function onLauncherGone(parent: number, gone: () => void): void {
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    gone();
  }, 250).unref();
}

/** Returns a function that stops everything in order, once; a second signal has no effect. */
function stopper(log: Log, parts: AsyncDisposableStack, seconds: number): Stop {
  let stopping = false;
  return async (reason, code) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'The server stops.');
    // Without its database the process cannot finish anything: a supervisor should restart it soon.
    setTimeout(() => process.exit(1), (reason === databaseEnded ? 1 : seconds) * 1000).unref();
    try {
      await parts.disposeAsync();
    } catch (error) {
      log.error({ err: error }, 'The server did not stop cleanly; the process exits with 1.');
      process.exit(1);
    }
    process.exit(code);
  };
}

/**
 * Handles errors that no other code handles. Such an error is a bug, after which the state of the process is
 * unknown: it is logged, requests in flight are finished, and the process exits with 1, so that a supervisor
 * starts another.
 */
function guard(log: Log, stop: Stop): void {
  const fail = (error: unknown, kind: string) => {
    log.fatal({ err: error, kind }, 'An error was not handled; the process exits with 1.');
    void stop(kind, 1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', (reason) => fail(reason, 'unhandledRejection'));
}

/**
 * Stops `parts` on a signal, on an error that no code handled and, if npm or an older Node.js launched this
 * process, when the launcher `parent` ends. After `seconds` the process exits in any case.
 */
export function stopInOrder(
  { bound, parent }: Pick<Config, 'bound'> & { readonly parent: number },
  { log, parts, seconds }: { log: Log; parts: AsyncDisposableStack; seconds: number },
): Stop {
  const stop = stopper(log, parts, seconds);
  // `on`, not `once`: Ctrl-C arrives from the terminal, and again from npm.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => void stop(signal, 0));
  if (bound) onLauncherGone(parent, () => void stop('the launcher ended', 0));
  guard(log, stop);
  return stop;
}
