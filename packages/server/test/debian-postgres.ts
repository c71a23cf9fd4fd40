// Another PostgreSQL than the embedded one: that of the machine, as an own cluster in a temporary folder.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '#http';

const root = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const user = 65_534;

function binaries(): string | undefined {
  const found = existsSync(root) ? readdirSync(root).toSorted() : [];
  const newest = found.findLast((major) => existsSync(join(root, major, 'bin/pg_basebackup')));
  return newest === undefined ? undefined : join(root, newest, 'bin');
}

const bin = binaries();

/** For `skip`: false where the programs are installed, else the reason. */
export const withoutPostgres: string | false =
  bin === undefined && `no pg_basebackup below ${root}: install postgresql to run this test`;

export interface OwnPostgres extends AsyncDisposable {
  readonly folder: string;
  readonly url: string;
  /** Runs a program of PostgreSQL as the user of the clusters. */
  run(program: string, ...words: readonly string[]): Promise<void>;
  /** Copies a folder with its owner. */
  copy(from: string, to: string): Promise<void>;
  /** Starts the cluster in this folder, which must not run yet. */
  start(data: string): Promise<void>;
  stop(data: string, mode: 'fast' | 'immediate'): Promise<void>;
}

/** Makes a folder for clusters. Its end stops those that run and removes it. */
export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-pg-'));
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) {
    await chmod(folder, 0o755);
    await chown(folder, user, user);
  }
  const port = await freePort('127.0.0.1');
  const running = new Set<string>();
  const run: OwnPostgres['run'] = async (program, ...words) => {
    const asUser = isRoot
      ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']
      : [];
    const [first = '', ...rest] = [...asUser, join(bin ?? '', program), ...words];
    // The server keeps its output, so nobody may wait for its end.
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
    start: async (data) => {
      running.add(data);
      const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
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
