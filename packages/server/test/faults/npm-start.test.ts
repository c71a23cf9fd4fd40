// npm start as an operator's supervisor meets it: whatever ends npm ends the server and its database in order.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { listPrograms } from '../installed-programs.ts';
import { until } from '../throw-away-database.ts';
import { childrenOf, isAlive, signal } from './child-processes.ts';
import { drawSample } from './sampled.ts';
import { seed } from '../seed.ts';
import { makePlace, runMark } from './server-process.ts';
import type { Place } from './server-process.ts';

const root = join(import.meta.dirname, '../../../..');
const timeout = 600_000;
const skip = process.platform !== 'linux' && 'it reads /proc, which only Linux has';

let place: Place;
const groups = new Set<number>();

before(async () => {
  place = await makePlace();
});

/** Ends whatever a failed test left. */
function reap(): void {
  for (const group of groups) signal(-group, 'SIGKILL');
}

process.once('exit', reap);
after(async () => {
  reap();
  await place[Symbol.asyncDispose]();
});

/** Paths of programs of this name that the machine has besides the installed packages. */
function programs(name: string): string[] {
  return listPrograms(name).filter((path) => !path.includes('node_modules'));
}

interface Running {
  readonly launcher: ChildProcess & { readonly pid: number };
  /** The process that serves. */
  readonly server: number;
  said(): string;
}

/** Starts it in a process group of its own and waits until it serves. */
async function startServing(program: string, args: readonly string[], bin = ''): Promise<Running> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const PATH = folders.filter((folder) => !folder.includes('node_modules')).join(delimiter);
  const launcher = spawn(program, args, {
    cwd: root,
    detached: true,
    env: {
      PATH: bin === '' ? PATH : `${bin}${delimiter}${PATH}`,
      HOME: place.folder,
      ...runMark,
      PORT: String(place.port),
      DATA_DIR: place.dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  }) as Running['launcher'];
  groups.add(launcher.pid);
  let text = '';
  for (const stream of [launcher.stdout, launcher.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => (text += part));
  const ended = () => launcher.exitCode !== null || launcher.signalCode !== null;
  await until('it serves', () => text.includes('serves on') || ended(), timeout);
  assert.ok(!ended(), text);
  const [server] = await childrenOf(launcher.pid, 'main.mjs');
  assert.ok(server !== undefined, `the server is a child of ${program}`);
  return { launcher, server, said: () => text };
}

/** Sends the signal and waits until nothing is left; the next start must find the folder free. */
async function endsWith(running: Running, send: (running: Running) => void): Promise<void> {
  send(running);
  await until('no process is left', async () => {
    const alive = [running.server, running.launcher.pid].map(isAlive);
    return !alive.includes(true) && !(await place.databaseRuns());
  });
  groups.delete(running.launcher.pid);
  assert.match(running.said(), /"msg":"The server stops\."/, 'it stopped in order');
  assert.doesNotMatch(running.said(), /not shut down cleanly/, 'and so did the one before');
}

const [npm = ''] = programs('npm');

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Nothing passes SIGKILL on: it is tried in every run, and of the others a part. */
const toLauncher = (usual: number) => ['SIGKILL', ...drawSample(signals, usual)] as const;
const toOlder = (pretends: boolean) =>
  pretends ? drawSample(toLauncher(signals.length), 1) : (['SIGKILL'] as const);

for (const name of toLauncher(1)) {
  test(`${name} to npm ends the server and its database in order`, { timeout, skip }, async (t) => {
    t.diagnostic(`SEED=${seed}`);
    const running = await startServing(npm, ['start']);
    await endsWith(running, ({ launcher }) => signal(launcher.pid, name));
  });
}

for (const name of drawSample(signals, 1)) {
  test(`${name} to the server and ${name} to all end it in order`, { timeout, skip }, async () => {
    await endsWith(await startServing(npm, ['start']), ({ server }) => signal(server, name));
    await endsWith(await startServing(npm, ['start']), ({ launcher }) =>
      signal(-launcher.pid, name),
    );
  });
}

/** Stands for an older Node.js on every machine: this one, which says that it is 20. */
const pretending = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });",
)}`;
const program = join(root, 'packages/server/src/main.mjs');
const older: readonly (readonly [string, readonly string[]])[] = [
  [process.execPath, ['--import', pretending, program]],
  ...programs('node').map((node) => [node, [program]] as const),
];

test(
  'an older Node.js hands over to the installed one, with every signal',
  { timeout, skip },
  async () => {
    for (const [node, args] of older) {
      const pretends = args.includes('--import');
      if (!pretends && !(await isOlder(node))) continue;
      for (const name of toOlder(pretends)) {
        const running = await startServing(node, args);
        assert.match(running.said(), new RegExp(`"node":"${process.version}"`));
        await endsWith(running, ({ launcher }) => signal(launcher.pid, name));
      }
    }
  },
);

async function isOlder(node: string): Promise<boolean> {
  const child = spawn(node, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const part of child.stdout) text += String(part);
  return Number(/^v(\d+)/.exec(text)?.[1]) < 24;
}
