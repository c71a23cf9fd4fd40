// A server of the cluster as processes of this machine: killed and started again, suspended and resumed.
import { execFile } from 'node:child_process';
import { readFile, readlink, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { until } from '../throw-away-database.ts';

const run = promisify(execFile);

export interface ClusterProcess {
  /** Ends it as a loss of power does. */
  kill(): void;
  /** Starts it again, and waits until it accepts connections. */
  start(): Promise<void>;
  suspend(): Promise<void>;
  resume(): Promise<void>;
}

async function folderOf(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  return rows[0]?.data_directory ?? '';
}

async function family(postmaster: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(postmaster)]);
  return [
    postmaster,
    ...stdout
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0),
  ];
}

async function signalAll(postmaster: number, name: NodeJS.Signals): Promise<void> {
  for (const pid of await family(postmaster)) {
    try {
      process.kill(pid, name);
    } catch {
      // A session that has ended meanwhile.
    }
  }
}

/** Finds the processes of a server that runs on this machine, by its folder. */
export async function clusterProcess(connection: pg.ClientConfig): Promise<ClusterProcess> {
  const folder = await folderOf(connection);
  const pidFile = join(folder, 'postmaster.pid');
  const pidNow = async () => Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
  let pid = await pidNow();
  const bin = dirname(await readlink(`/proc/${pid}/exe`));
  const { uid, gid } = await stat(folder);
  const words = ['start', '-D', folder, '-w', '-t', '120', '-l', join(folder, 'started.log')];
  return {
    kill: () => void process.kill(pid, 'SIGKILL'),
    // It stays when the run ends, which looks for its own processes by their environment.
    // While a session of the killed server ends, its memory is in use, and a start is refused.
    start: async () => {
      await until('the server starts', () =>
        run(join(bin, 'pg_ctl'), words, {
          uid,
          gid,
          cwd: folder,
          env: { PATH: '/usr/bin:/bin' },
        }).then(
          () => true,
          () => false,
        ),
      );
      pid = await pidNow();
    },
    suspend: () => signalAll(pid, 'SIGSTOP'),
    resume: () => signalAll(pid, 'SIGCONT'),
  };
}
