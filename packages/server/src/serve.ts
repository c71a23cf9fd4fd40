// Runs the service: settings, database, server and pipeline; stops them in order on a signal.
import { hiderOfSecrets, readConfig } from '#config';
import type { Config } from '#config';
import type { Link } from '#processes';
import type { Traces } from '#tracing';
import { openServices } from '#services';
import { requireBackupTarget } from '#storage';
import { endLeftBehind } from './left-behind.ts';
import { openLog } from './log.ts';
import {
  databaseEnded,
  stopInOrder,
  stopSeconds,
  stopSecondsOfProcess,
  warnAsRoot,
} from './stopping.ts';

/** Seconds at the end of a stop in which no connection is open any more. */
const closingSeconds = 1;

/** Chooses a free port if the configured one is 0. The HTTP server is loaded for this only. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const { freePort } = await import('#http');
  return readConfig({ PORT: String(await freePort(config.host, config.alsoHost)) });
}

/**
 * Serves until a signal, until the database ends, or, if npm or an older Node.js launched this process, until
 * the launcher ends. `settings` come from `readSettings`; `parent` is the process that started this one.
 * @throws Error with a message for the operator, without the secrets of the settings
 */
export async function serve(settings: Config, parent: number, drainMs?: number): Promise<void> {
  try {
    await start(settings, parent, drainMs);
  } catch (cause) {
    throw new Error(hiderOfSecrets()((cause as Error).message), { cause });
  }
}

/** Only where spans are recorded are the packages for it loaded. */
async function tracesOf(
  { traces, processName }: Config,
  log: ReturnType<typeof openLog>,
): Promise<Traces | undefined> {
  if (traces === undefined) return undefined;
  return (await import('#tracing')).openTraces(traces, processName, log);
}

/**
 * Tries BACKUP_TO where the pipeline runs, which makes the backups. Readers and authors can do without a backup for
 * a time, so a start goes on; the operator should know today and not when the first backup is due.
 */
async function tryBackups(
  { backupTo, role }: Config,
  log: ReturnType<typeof openLog>,
): Promise<void> {
  if (backupTo === undefined || role === 'web') return;
  await requireBackupTarget(backupTo).catch(({ message }: Error) =>
    log.error(
      { reason: message },
      'BACKUP_TO cannot be used: no backup is made until that is mended.',
    ),
  );
}

/** Opens the link to the supervisor of this process, if it has one. Only then is its code loaded. */
async function linkOf({ processName }: Config): Promise<Link | undefined> {
  return processName === undefined ? undefined : (await import('#processes')).openLink();
}

/** Says at which addresses the server can be used; without any, it runs the pipeline. */
function sayStarted(
  { role, dataDir, baseUrl }: Config,
  listening: readonly string[],
  log: ReturnType<typeof openLog>,
): void {
  const what =
    listening.length === 0
      ? 'runs the pipeline'
      : `serves on ${baseUrl} (listening on ${listening.join(' and ')})`;
  log.info({ role, data_dir: dataDir, node: process.version }, `Colophon ${what}`);
  if (process.stdout.isTTY) process.stderr.write(`\nColophon ${what}\n\n`);
}

/** Loads the greatest part of the code. */
async function loadApp() {
  const [{ createApp }, { listen }] = await Promise.all([import('#app'), import('#http')]);
  return { createApp, listen };
}

/**
 * Opens the services. The rest of the code is loaded while the embedded database starts, which takes as long; no
 * setting can be wrong any more.
 */
async function openAll(
  config: Config,
  log: ReturnType<typeof openLog>,
  {
    parts,
    link,
    traces,
  }: { parts: AsyncDisposableStack; link: Link | undefined; traces: Traces | undefined },
) {
  const startsDatabase = config.databaseUrl === undefined && config.processName === undefined;
  let loading = startsDatabase ? undefined : loadApp();
  await loading;
  const starting = () => {
    loading = loadApp();
    // If the database does not start, that is the error to report.
    loading.catch(() => undefined);
  };
  const opening = { migrating: link?.migrating, traces, starting };
  const services = parts.use(await openServices(config, log, opening));
  return { services, ...(await (loading ?? loadApp())) };
}

async function start(settings: Config, parent: number, drainMs?: number): Promise<void> {
  const config = await withPort(settings);
  const link = await linkOf(config);
  const log = openLog(config.logLevel, config.processName);
  if (link === undefined) warnAsRoot(log);
  // It would end the process. The supervisor receives it too, if it was sent to all processes.
  process.on('SIGUSR2', () => {
    if (link === undefined)
      log.warn({}, 'SIGUSR2 restarts only with PROCESSES=2 or more; nothing was done.');
  });
  const parts = new AsyncDisposableStack();
  const { bound } = config;
  const seconds = link === undefined ? stopSeconds : stopSecondsOfProcess;
  const stop = stopInOrder({ bound, parent }, { log, parts, seconds });

  if (link === undefined) await endLeftBehind(config, log);
  const traces = await tracesOf(config, log);
  if (traces !== undefined) parts.use(traces);
  const { services, createApp, listen } = await openAll(config, log, { parts, link, traces });
  // After the last request was answered.
  if (link !== undefined) parts.defer(() => link.lastFigures());
  const app = parts.use(await createApp(services, { strict: config.strict, link }));
  const listening = app.server === undefined ? [] : await listen(app.server, config);
  parts.defer(() => {
    const closeMs = drainMs ?? (seconds - closingSeconds) * 1000;
    setTimeout(() => app.server?.server.closeAllConnections(), closeMs).unref();
  });
  void services.databaseLost.then(() => stop(databaseEnded, 1));
  void tryBackups(config, log);
  if (link !== undefined) {
    log.info({ role: config.role, pid: process.pid }, 'The process is ready.');
    link.ready(listening);
    return;
  }
  sayStarted(config, listening, log);
}
