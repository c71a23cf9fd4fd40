// PostgreSQL's settings for a laptop or a small server of 2 cores, as command-line arguments.
import { totalmem } from 'node:os';
import { clusterName } from './pid-file.ts';
import { PORT } from './socket-folder.ts';
import type { SocketFolder } from './socket-folder.ts';

const MiB = 1024 * 1024;

/**
 * Returns the size of PostgreSQL's cache: a sixteenth of the memory, at least 128 MiB and at most 1 GiB. The
 * memory is allocated as it is used. With 128 MiB a search among a million articles took twice as long.
 */
export function sharedBuffers(memory: number): string {
  const share = Math.floor(memory / 16 / MiB);
  return `${Math.min(1024, Math.max(128, share))}MB`;
}

/** Returns the memory of the machine, or the limit of the container. */
function memoryOfMachine(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

const DEFAULTS: Readonly<Record<string, string>> = {
  shared_buffers: sharedBuffers(memoryOfMachine()),
  // With I/O workers, each block that is not in the cache costs two context switches.
  io_method: 'sync',
  max_connections: '100',
  // PostgreSQL fills all of its buffers for the log with zeros soon after a start, by default 16 MB of them. A commit
  // writes its own part at once, so only transactions of megabytes could use more.
  wal_buffers: '2MB',
  // Nothing is replicated by statements: a process less.
  max_logical_replication_workers: '0',
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

// Statements and their values may contain personal data and secrets: they are not logged.
const PRIVACY: Readonly<Record<string, string>> = {
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

/** The format that `readLine` in server-log.ts parses. */
const LOG_FORM: Readonly<Record<string, string>> = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '[%b] [%p] ',
};

/**
 * Returns the arguments for `postgres`; `chosen` overrides the defaults, never the location and the log
 * format.
 */
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
