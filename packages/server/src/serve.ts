// The service from its start to its end: settings, database, server and pipeline; stops them in order on a signal.
import { createApp } from '#app';
import { hiderOfSecrets, readConfig } from '#config';
import type { Config } from '#config';
import { freePort, listen } from '#http';
import { openLog, openServices } from '#services';

/** No request is cut, but nobody waits longer for one. */
const stopSeconds = 10;
/** From the signal until the connections that are left are closed. */
const usualDrainMs = (stopSeconds - 1) * 1000;

/** With a port that is free, where any will do. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  return readConfig({ PORT: String(await freePort(config.host, config.alsoHost)) });
}

const databaseEnded = 'the database ended';
const asRoot =
  'running as root: better make a user for it (useradd --system colophon), give it DATA_DIR (chown -R colophon), and start as that user (setpriv --reuid colophon --regid colophon --init-groups npm start)';

/** npm passes SIGTERM and SIGINT on, but not SIGHUP, and nothing passes SIGKILL on. */
function onLauncherGone(parent: number, gone: () => void): void {
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    gone();
  }, 250).unref();
}

/** Stops everything in order, once; a second signal changes nothing. */
function stopper(log: ReturnType<typeof openLog>, parts: AsyncDisposableStack) {
  let stopping = false;
  return async (reason: string, code: number) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    // Without its database nothing can be finished: the sooner a supervisor starts it again, the better.
    const seconds = reason === databaseEnded ? 1 : stopSeconds + 2;
    setTimeout(() => process.exit(1), seconds * 1000).unref();
    try {
      await parts.disposeAsync();
    } catch (error) {
      log.error({ err: error }, 'a part did not stop in order');
      process.exit(1);
    }
    process.exit(code);
  };
}

/**
 * The last guard: an error that no code handles is a bug, after which the state of the process is unknown. It is
 * logged, what is in flight is finished, and the process ends with 1, so that a supervisor starts another.
 */
function guard(log: ReturnType<typeof openLog>, stop: ReturnType<typeof stopper>): void {
  const fail = (error: unknown, kind: string) => {
    log.fatal({ err: error, kind }, 'an error that nothing handled: the process ends');
    void stop(kind, 1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', (reason) => fail(reason, 'unhandledRejection'));
}

/**
 * Serves until a signal, until the database ends, or, where npm or an older Node.js only launched it, until that one
 * ends. `settings` come from `readSettings`; `parent` is the process that started this one.
 * @throws Error with a sentence for the operator, without the secrets of the settings
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
  // More than once: Ctrl-C comes from the terminal, and again from npm.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => void stop(signal, 0));
  if (config.bound) onLauncherGone(parent, () => void stop('its launcher ended', 0));
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
      ? 'the pipeline runs'
      : `serves on ${config.baseUrl} (listening on ${listening.join(' and ')})`;
  log.info(
    { role: config.role, data_dir: config.dataDir, node: process.version },
    `Colophon ${what}`,
  );
  if (process.stdout.isTTY) process.stderr.write(`\nColophon ${what}\n\n`);
}
