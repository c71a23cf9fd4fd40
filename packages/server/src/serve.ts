// Runs the service: settings, database, server and pipeline; stops them in order on a signal.
import { createApp } from '#app';
import { hiderOfSecrets, readConfig } from '#config';
import type { Config } from '#config';
import { freePort, listen } from '#http';
import { openLog, openServices } from '#services';

/** Seconds that a stop waits for requests in flight. */
const stopSeconds = 10;
/** Milliseconds from the signal until remaining connections are closed. */
const usualDrainMs = (stopSeconds - 1) * 1000;

/** Chooses a free port if the configured one is 0. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  return readConfig({ PORT: String(await freePort(config.host, config.alsoHost)) });
}

const databaseEnded = 'the database ended';
const asRoot =
  'The server runs as root. Create a user for it (useradd --system colophon), give it DATA_DIR (chown -R colophon), and start as that user (setpriv --reuid colophon --regid colophon --init-groups npm start).';

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
function stopper(log: ReturnType<typeof openLog>, parts: AsyncDisposableStack) {
  let stopping = false;
  return async (reason: string, code: number) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'The server stops.');
    // Without its database the process cannot finish anything: a supervisor should restart it soon.
    const seconds = reason === databaseEnded ? 1 : stopSeconds + 2;
    setTimeout(() => process.exit(1), seconds * 1000).unref();
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
function guard(log: ReturnType<typeof openLog>, stop: ReturnType<typeof stopper>): void {
  const fail = (error: unknown, kind: string) => {
    log.fatal({ err: error, kind }, 'An error was not handled; the process exits with 1.');
    void stop(kind, 1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', (reason) => fail(reason, 'unhandledRejection'));
}

/**
 * Serves until a signal, until the database ends, or, if npm or an older Node.js launched this process, until
 * the launcher ends. `settings` come from `readSettings`; `parent` is the process that started this one.
 * @throws Error with a message for the operator, without the secrets of the settings
 */
export async function serve(
  settings: Config,
  parent: number,
  drainMs = usualDrainMs,
): Promise<void> {
  try {
    await start(settings, parent, drainMs);
  } catch (cause) {
    throw new Error(hiderOfSecrets()((cause as Error).message), { cause });
  }
}

async function start(settings: Config, parent: number, drainMs: number): Promise<void> {
  const config = await withPort(settings);
  const log = openLog(config.logLevel);
  if (process.geteuid?.() === 0) log.warn({}, asRoot);
  const parts = new AsyncDisposableStack();
  const stop = stopper(log, parts);
  // `on`, not `once`: Ctrl-C arrives from the terminal, and again from npm.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => void stop(signal, 0));
  if (config.bound) onLauncherGone(parent, () => void stop('the launcher ended', 0));
  guard(log, stop);

  const services = parts.use(await openServices(config, log));
  const app = parts.use(await createApp(services, { strict: config.strict }));
  const listening = app.server === undefined ? [] : await listen(app.server, config);
  parts.defer(() => {
    setTimeout(() => app.server?.server.closeAllConnections(), drainMs).unref();
  });
  void services.databaseLost.then(() => stop(databaseEnded, 1));

  const what =
    app.server === undefined
      ? 'runs the pipeline'
      : `serves on ${config.baseUrl} (listening on ${listening.join(' and ')})`;
  log.info(
    { role: config.role, data_dir: config.dataDir, node: process.version },
    `Colophon ${what}`,
  );
  if (process.stdout.isTTY) process.stderr.write(`\nColophon ${what}\n\n`);
}
