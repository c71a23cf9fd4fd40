// Clusters of PostgreSQL in a temporary folder, without the service's supervisor: on TCP ports, for any account.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { prepareBinaries } from '../src/database/embedded/binaries.ts';
import { ownPort } from './own-port.ts';

const root = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const user = 65_534;

function installedPrograms(): string | undefined {
  const found = existsSync(root) ? readdirSync(root).toSorted() : [];
  const newest = found.findLast((major) => existsSync(join(root, major, 'bin/pg_basebackup')));
  return newest === undefined ? undefined : join(root, newest, 'bin');
}

const debian = installedPrograms();

/** For `skip`: false where the programs are installed, else the reason. */
export const withoutPostgres: string | false =
  debian === undefined && `no pg_basebackup below ${root}: install postgresql to run this test`;

async function embeddedPrograms(folder: string, switched: boolean): Promise<string> {
  return dirname((await prepareBinaries({ uid: user, gid: user, switched }, folder)).postgres);
}

export interface OwnPostgres extends AsyncDisposable {
  readonly folder: string;
  readonly url: string;
  /** Runs a program of PostgreSQL as the user of the clusters. */
  run(program: string, ...words: readonly string[]): Promise<void>;
  /** Copies a folder with its owner. */
  copy(from: string, to: string): Promise<void>;
  /** Gives a folder and all in it to the user of the clusters. */
  own(folder: string): Promise<void>;
  remove(file: string): Promise<void>;
  /** Starts the cluster in this folder, which must not run yet, on the port of `url` or another one. */
  start(data: string, port?: number): Promise<void>;
  stop(data: string, mode: 'fast' | 'immediate'): Promise<void>;
}

/**
 * Makes a folder for clusters. Its end stops those that run and removes it.
 * @param whose the programs: those of the machine, or those that the service ships, which are initdb, pg_ctl
 * and postgres only
 */
export async function ownPostgres(whose: 'machine' | 'embedded' = 'machine'): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-pg-'));
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) {
    await chmod(folder, 0o755);
    await chown(folder, user, user);
  }
  const bin = whose === 'machine' ? debian : await embeddedPrograms(folder, isRoot);
  const port = await ownPort();
  const running = new Set<string>();
  const run: OwnPostgres['run'] = async (program, ...words) => {
    const asUser = isRoot
      ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']
      : [];
    const [first = '', ...rest] = [...asUser, join(bin ?? '', program), ...words];
    // The server keeps its output, so no test may wait for its end.
    await promisify(execFile)(first, rest, { cwd: folder, timeout: 600_000 });
  };
  const stop: OwnPostgres['stop'] = async (data, mode) => {
    running.delete(data);
    await run('pg_ctl', 'stop', '-D', data, '-m', mode, '-w');
  };
  await mkdir(join(folder, 'wal'), { mode: 0o700 });
  if (isRoot) await chown(join(folder, 'wal'), user, user);
  return {
    folder,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    run,
    copy: async (from, to) => {
      await promisify(execFile)('cp', ['-a', from, to]);
    },
    own: async (path) => {
      if (isRoot) await promisify(execFile)('chown', ['-R', `${user}:${user}`, path]);
    },
    remove: async (file) => rm(file, { force: true }),
    start: async (data, other = port) => {
      running.add(data);
      const options = `-p ${other} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
      await run(
        'pg_ctl',
        'start',
        '-D',
        data,
        '-w',
        '-t',
        '300',
        '-o',
        options,
        '-l',
        `${data}.log`,
      );
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      for (const data of running) await stop(data, 'immediate').catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
