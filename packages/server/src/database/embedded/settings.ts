// PostgreSQL's settings for a laptop or a small server of 2 cores, as arguments of its command line.
import { totalmem } from 'node:os';
import { clusterName } from './pid-file.ts';
import { PORT } from './socket-folder.ts';
import type { SocketFolder } from './socket-folder.ts';

const MiB = 1024 * 1024;

/**
 * PostgreSQL's own cache: a sixteenth of the memory that there is, 128 MiB at least and 1 GiB at most. It is
 * taken as it is used. With 128 MiB a search among a million articles took twice as long.
 */
export function sharedBuffers(memory: number): string {
  const share = Math.floor(memory / 16 / MiB);
  return `${Math.min(1024, Math.max(128, share))}MB`;
}

/** Of the machine, or of the container that we run in. */
function memoryOfMachine(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

const DEFAULTS: Readonly<Record<string, string>> = {
  shared_buffers: sharedBuffers(memoryOfMachine()),
  // With workers for it each block that is not in the cache costs two switches between processes.
  io_method: 'sync',
  max_connections: '100',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_compression: 'pglz',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_checkpoints: 'off',
};

// Statements and their values may hold addresses and secrets of people: they stay out of the log.
const PRIVACY: Readonly<Record<string, string>> = {
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

/** What `readLine` in server-log.ts expects. */
const LOG_FORM: Readonly<Record<string, string>> = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '[%b] [%p] ',
};

/** The arguments for `postgres`; `chosen` goes over the defaults, never over place and log. */
export function settingArguments(
  folder: string,
  socket: SocketFolder,
  chosen: Record<string, string>,
): string[] {
  const place = {
    listen_addresses: '',
    port: String(PORT),
    unix_socket_directories: socket.server,
    unix_socket_permissions: '0700',
    cluster_name: clusterName(folder),
  };
  const all = { ...DEFAULTS, ...PRIVACY, ...chosen, ...LOG_FORM, ...place };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
