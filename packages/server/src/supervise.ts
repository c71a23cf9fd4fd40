// Runs several processes on this host: starts the database, then the processes, and stops them in order.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { hiderOfSecrets, readConfig } from '#config';
import type { Config } from '#config';
import { connectionRoom, startEmbedded } from '#database';
import type { EmbeddedDatabase } from '#database';
import { superviseProcesses } from '#processes';
import type { Slot, Watch } from '#processes';
import { endLeftBehind, pidFileOf } from './left-behind.ts';
import { openLog } from './log.ts';
import { databaseEnded, stopInOrder, stopSeconds, warnAsRoot } from './stopping.ts';

const program = fileURLToPath(new URL('main.mjs', import.meta.url));
/** What a process opens at most, as docs/scaling.md says: the pipeline has connections of its own. */
const connectionsOf = ({ role }: Pick<Slot, 'role'>) => (role === 'web' ? 25 : 30);
const connectionsLeast = 100;

/** During a restart there is one process more. */
function connectionsFor(slots: readonly Slot[]): number {
  const each = slots.map(connectionsOf);
  return each.reduce((sum, one) => sum + one, Math.max(...each));
}

/** Chooses a free port if the configured one is 0. The HTTP server is loaded for this only. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const { freePort } = await import('#http');
  return readConfig({ PORT: String(await freePort(config.host, config.alsoHost)) });
}

/**
 * Returns the processes of this host. With two cores or more, the pipeline has its own; otherwise each
 * process runs it.
 */
export function slotsOf(
  { role, processes }: Pick<Config, 'role' | 'processes'>,
  cores = availableParallelism(),
): readonly Slot[] {
  const apart = role === 'all' && cores > 1;
  const own = apart ? 'web' : role;
  const name = own === 'worker' ? 'pipeline' : 'web';
  const slots = Array.from({ length: processes }, (_, at) => ({
    name: `${name}-${at + 1}`,
    role: own,
  }));
  return apart ? [...slots, { name: 'pipeline', role: 'worker' }] : slots;
}

const tooFewConnections = (needed: number, room: number) =>
  `The database admits ${room} connections of this role, but the processes of this host may need ${needed}. Set max_connections to ${needed} more than other programs and the reserved connections need (or raise the limit of the role), or set PROCESSES lower.`;

async function openDatabase(
  { databaseUrl, dataDir }: Config,
  log: ReturnType<typeof openLog>,
  slots: readonly Slot[],
): Promise<EmbeddedDatabase | undefined> {
  const needed = connectionsFor(slots);
  if (databaseUrl !== undefined) {
    const room = await connectionRoom(databaseUrl);
    if (room !== undefined && room < needed)
      log.warn({ room, needed }, tooFewConnections(needed, room));
    return undefined;
  }
  const connections = Math.max(connectionsLeast, needed);
  return startEmbedded({ dataDir, log, settings: { max_connections: String(connections) } });
}

/** Returns the settings of a process, over those of this one. */
function environmentOf({ port, dataDir }: Config, { name, role }: Slot) {
  return {
    COLOPHON_PROCESS: name,
    ROLE: role,
    PROCESSES: '1',
    PORT: String(port),
    DATA_DIR: dataDir,
    // The launcher is a matter of this process.
    COLOPHON_BOUND: '',
    npm_lifecycle_event: '',
  };
}

/**
 * Runs the processes until a signal, until the database ends or until the launcher ends. SIGUSR2 replaces
 * each process by a new one. `settings` come from `readSettings`; `parent` is the process that started this
 * one; `watch` is for tests.
 * @throws Error with a message for the operator, without the secrets of the settings
 */
export async function supervise(
  settings: Config,
  parent: number,
  watch: Partial<Watch> = {},
): Promise<void> {
  try {
    await start(settings, parent, watch);
  } catch (cause) {
    throw new Error(hiderOfSecrets()((cause as Error).message), { cause });
  }
}

async function start(settings: Config, parent: number, watch: Partial<Watch>): Promise<void> {
  const config = await withPort(settings);
  const log = openLog(config.logLevel, 'supervisor');
  warnAsRoot(log);
  const parts = new AsyncDisposableStack();
  const { bound } = config;
  const stop = stopInOrder({ bound, parent }, { log, parts, seconds: stopSeconds });
  const slots = slotsOf(config);

  const embedded = await openDatabase(config, log, slots);
  if (embedded !== undefined) parts.use(embedded);
  await endLeftBehind(config, log);
  const processes = parts.use(
    superviseProcesses({
      slots,
      program,
      environmentOf: (slot) => environmentOf(config, slot),
      log,
      watch,
      pidFile: pidFileOf(config),
    }),
  );
  // Before, main.mjs ignores it: no process has read the program yet.
  process.on('SIGUSR2', () => processes.replaceAll());
  void embedded?.exited.then(() => stop(databaseEnded, 1));
  const listening = await processes.start();
  // The process that could not start has printed the reason.
  if (listening === undefined) return stop('a process could not start', 1);

  const what =
    config.role === 'worker'
      ? 'runs the pipeline'
      : `serves on ${config.baseUrl} (listening on ${listening.join(' and ')})`;
  const names = slots.map(({ name }) => name);
  const { role, dataDir } = config;
  log.info(
    { role, data_dir: dataDir, node: process.version, processes: names },
    `Colophon ${what}`,
  );
  if (process.stdout.isTTY) process.stderr.write(`\nColophon ${what}\n\n`);
}
