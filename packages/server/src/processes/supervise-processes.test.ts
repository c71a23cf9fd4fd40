// The supervisor with small processes that misbehave: what it starts, kills, replaces, reports and forgets.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { effort } from '#test/effort';
import { isAlive, signal } from '#test/faults/child-processes';
import { until } from '#test/throw-away-database';
import { superviseProcesses } from './index.ts';
import type { Watch } from './index.ts';

const program = fileURLToPath(import.meta.resolve('#test/faults/small-process'));
const skip = process.platform !== 'linux' && 'it reads /proc, which only Linux has';
const usual = { pingMs: 50, missedMax: 10_000, bytesMax: Infinity, startMs: 60_000 };

type Line = Readonly<Record<string, unknown>>;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-small-'));
});
after(() => rm(folder, { recursive: true, force: true }));

let count = 0;

/** Opens a supervisor of small processes; none is started yet. */
async function open(names: readonly string[], watch: Partial<Watch> = {}) {
  count += 1;
  const file = join(folder, `behaviour-${count}`);
  const pidFile = join(folder, `pids-${count}`);
  const behave = (behaviour: string) => writeFile(file, behaviour);
  await behave('serves');
  const lines: Line[] = [];
  const put = (fields: object, msg: string) => void lines.push({ msg, ...fields });
  const environments = new Map<string, Record<string, string>>();
  const processes = superviseProcesses({
    slots: names.map((name) => ({ name, role: 'web' })),
    program,
    environmentOf: ({ name }) => ({ BEHAVIOUR: file, NAME: name, ...environments.get(name) }),
    log: { info: put, warn: put, error: put },
    watch: { ...usual, ...watch },
    pidFile,
  });
  const linesWith = (text: string) => lines.filter(({ msg }) => String(msg).includes(text));
  return {
    ...processes,
    behave,
    environments,
    linesWith,
    lines,
    starts: async () => (await readFile(`${file}.starts`, 'utf8')).trim().split('\n').length,
    pids: async (): Promise<number[]> => {
      if (!existsSync(pidFile)) return [];
      const lines = (await readFile(pidFile, 'utf8')).trim().split('\n');
      return lines.slice(2).map((line) => Number(line.split(' ')[0]));
    },
    pidFile,
  };
}

const replaced = 'Every process was replaced';

test('SIGUSR2 during the start or a replacement leads to one more after it', async () => {
  await using held = await open(['one', 'two']);
  held.replaceAll();
  const listening = held.start();
  held.replaceAll();
  assert.deepEqual(await listening, ['here']);
  await until('it is replaced after the start', () => held.linesWith(replaced).length === 1);
  assert.equal(await held.starts(), 4, 'two at the start, two for both signals');
  // It does not end before the signals that come in the middle of it.
  await held.behave('migrates');
  held.replaceAll();
  await until('it has begun', async () => (await held.starts()) > 4);
  held.replaceAll();
  held.replaceAll();
  await held.behave('serves');
  await until('and twice more', () => held.linesWith(replaced).length === 3);
  assert.equal(await held.starts(), 8);
});

test('a new process that is not ready in time is killed, and the old ones go on', async () => {
  await using held = await open(['one', 'two'], { startMs: 10_000 });
  await held.start();
  // A migration may take longer than a start.
  await using other = await open(['migrating'], { startMs: 10_000 });
  await other.behave('migrates');
  const migrated = other.start();
  const old = await held.pids();
  await held.behave('never');
  held.replaceAll();
  await until('it is given up', () => held.linesWith('The replacement has ended').length === 1);
  assert.equal(held.linesWith('was not ready in time').length, 1);
  assert.deepEqual(await held.pids(), old);
  assert.deepEqual(old.map(isAlive), [true, true]);
  await other.behave('serves');
  assert.deepEqual(await migrated, ['here']);
  assert.deepEqual(other.lines, []);

  // The place of a process that ended is filled as soon as the program is whole again.
  await held.behave('ends');
  signal(old[0] ?? 0, 'SIGKILL');
  await until('it is tried again', () => held.linesWith('ended before it was ready').length >= 2);
  await held.behave('serves');
  await until('it is filled', async () => (await held.pids()).length === 2);
  held.replaceAll();
  await until('all are replaced', () => held.linesWith(replaced).length === 1);
});

test('a process that the system refuses to start is logged and tried again', async () => {
  await using held = await open(['one', 'two']);
  await held.start();
  const [first = 0] = await held.pids();
  // An environment with a zero byte makes fork throw at once.
  held.environments.set('one', { BROKEN: '\0' });
  held.replaceAll();
  await until('it is given up', () => held.linesWith('The replacement has ended').length === 1);
  signal(first, 'SIGKILL');
  await until('it fails again', () => held.linesWith('could not be started').length >= 2);
  held.environments.clear();
  await until('it is filled', async () => (await held.pids()).length === 2);
});

test(
  'all processes killed at once come back; many replacements leave no descriptor behind',
  { skip },
  async () => {
    await using held = await open(['one', 'two', 'three']);
    await held.start();
    for (const pid of await held.pids()) signal(pid, 'SIGKILL');
    await until('three others run', async () => (await held.starts()) === 6);
    await until('they are recorded', async () => (await held.pids()).length === 3);
    const rounds = effort(5, 20);
    const descriptors = async () => (await readdir('/proc/self/fd')).length;
    const before = await descriptors();
    for (let round = 1; round <= rounds; round += 1) {
      held.replaceAll();
      await until('all are replaced', () => held.linesWith(replaced).length === round);
    }
    assert.equal(await held.starts(), 6 + 3 * rounds);
    await until('none is left open', async () => (await descriptors()) <= before);
    assert.equal((await held.pids()).length, 3);
  },
);

test('the end during the start leaves no process and no file', { skip }, async () => {
  const held = await open(['one', 'two']);
  await held.behave('never');
  const starting = held.start();
  await until('one was started', async () => (await held.pids()).length === 1);
  const [pid = 0] = await held.pids();
  await held[Symbol.asyncDispose]();
  assert.equal(await starting, undefined);
  assert.equal(isAlive(pid), false);
  assert.equal(existsSync(held.pidFile), false);
  assert.deepEqual(held.linesWith('before it was ready'), [], 'it was told to end');
});
