// A real PgBouncer for a test, between the service and a cluster; a machine without it skips such tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram } from './installed-programs.ts';
import { ownPort } from './own-port.ts';

const program = findProgram('pgbouncer');

/** For `skip`: false where PgBouncer can be started, else the reason. */
export const withoutPgBouncer: string | false =
  program === undefined && 'no pgbouncer on this machine: install it to run this test';

/** It refuses to run as root. */
const user = 65_534;

async function listens(port: number, over: () => boolean): Promise<void> {
  while (!over()) {
    const socket = connect(port, '127.0.0.1');
    const found = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (found) return;
    await wait(20);
  }
}

const modes = ['session', 'transaction', 'statement'] as const;

export interface TestPgBouncer extends AsyncDisposable {
  /** The address of the database through PgBouncer in this pooling mode. */
  url(mode: (typeof modes)[number]): string;
}

/**
 * Starts PgBouncer before the database `postgres` of the cluster at this port, once in each pooling mode.
 * @param more further lines of its configuration
 */
export async function startPgBouncer(
  folder: string,
  database: number,
  more = '',
): Promise<TestPgBouncer> {
  const port = await ownPort();
  const file = join(folder, `pgbouncer-${port}.ini`);
  const lines = modes.map(
    (mode) =>
      `${mode} = host=127.0.0.1 port=${database} dbname=postgres user=postgres pool_mode=${mode}`,
  );
  await writeFile(
    file,
    `[databases]
${lines.join('\n')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
default_pool_size = 60
max_client_conn = 200
${more}
`,
  );
  await chmod(file, 0o644);
  const asUser =
    process.geteuid?.() === 0
      ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']
      : [];
  const [first, ...rest] = [...asUser, program ?? '', '-q', file];
  const child = spawn(first, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
  const reap = () => void child.kill('SIGKILL');
  process.once('exit', reap);
  let complaint = '';
  let over = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const ended = once(child, 'close').then(() => (over = true));
  await listens(port, () => over);
  if (over) throw new Error(`PgBouncer ended: ${complaint}`);
  return {
    url: (mode) => `postgres://postgres@127.0.0.1:${port}/${mode}`,
    [Symbol.asyncDispose]: async () => {
      process.off('exit', reap);
      child.kill('SIGKILL');
      await ended;
    },
  };
}
