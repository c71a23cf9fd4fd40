// kill -9 while the key of the log is replaced, at each step: one history, and at every moment a checkpoint that those
// verify who know the old key, until the rotation is ended, and then those who know the new one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkNote, parseNote, parseVerifierKey } from '@colophon/tlog';
import { readConfig } from '#config';
import { openDatabase } from '#database';
import { newId } from '#lib/id';
import { sha256 } from '#lib/sha256';
import { describeLog, endRotation, rotateKey, startLog, verifyLog } from '#log';
import { openLogFiles } from '#storage';
import { insertLeaves } from '../../src/areas/log/queries/index.ts';
import { integrate } from '../../src/areas/log/service/integrate.ts';
import { cloneDatabase } from '../database.ts';
import { effort } from '../effort.ts';
import { quiet } from '../throw-away-database.ts';
import { verifyWith } from '../transparency-log.ts';
import { runMark } from './server-process.ts';

/** Steps between the files and the statements; in a long run, each step. */
const few = [8, 14, 17];
/** Of ending a rotation. */
const endSteps = 5;
const isLong = effort(0, 1) === 1;
const patienceMs = 120_000 + effort(0, 300_000);

const parts = new AsyncDisposableStack();
after(() => parts.disposeAsync());
const { connection } = parts.use(await cloneDatabase());
const dataDir = await mkdtemp(join(tmpdir(), 'colophon-log-'));
parts.defer(() => rm(dataDir, { recursive: true, force: true }));
const db = parts.use(
  openDatabase({ connection, readers: 2, writers: 2, patience: 12, onError: () => undefined }),
);
const env = { ...process.env, ...runMark, DATA_DIR: dataDir, BASE_URL: 'https://log.example' };
const config = readConfig(env);
const files = parts.use(await openLogFiles(config.mediaStore));
const services = { db, connection, config, log: quiet, files, now: () => new Date() };

/** Runs the action in a process until it kills itself at a step: undefined; or to its end: how many steps it has. */
async function runKilled(action: 'replace' | 'end', step: number): Promise<number | undefined> {
  const program = fileURLToPath(import.meta.resolve('./log-rotation-child.ts'));
  const args = [program, String(step), action, JSON.stringify(connection)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal === 'SIGKILL') return undefined;
  assert.equal(code, 0, `${action}, step ${step}`);
  return Number(out);
}

/** Runs the action to its end in this process: starting one costs more than all that it does. */
async function runAgain(action: 'replace' | 'end'): Promise<void> {
  await (action === 'end' ? endRotation(services) : rotateKey(services)).catch((error: Error) => {
    // A run that was killed after its last change has nothing left to do.
    if (!error.message.includes('being replaced already')) throw error;
  });
}

let made = 0;
async function addLeaf(): Promise<void> {
  made += 1;
  const leaf = {
    cause: `test/${String(made).padStart(8, '0')}`,
    ticket: newId(0),
    entry: JSON.stringify({ made }),
    articleId: null,
    salt: null,
  };
  await db.transaction((tx) => insertLeaves(tx, [leaf]));
}

/** Has the sequencer work, and returns the keys that the service names, each of which must have signed. */
async function signers(): Promise<readonly string[]> {
  const state = { published: undefined, pauses: new Map<string, number>() };
  while (await integrate(services, state, async () => true));
  const described = await describeLog(db, config, null);
  const keys = [described?.verifier_key, described?.previous_verifier_key].flatMap(
    (key) => key ?? [],
  );
  const note = parseNote((await files.read('checkpoint'))?.toString('utf8') ?? '');
  assert.ok(note);
  const known = keys.flatMap((text) => parseVerifierKey(sha256, text) ?? []);
  const { verified, forged } = await checkNote(note, known, verifyWith);
  assert.deepEqual([forged, verified.length], [null, keys.length]);
  assert.equal(note.signatures.length, keys.length, 'each key once, and no other');
  const { size, faults } = await verifyLog(db, files);
  // A replacement that was killed leaves a key that does not sign yet.
  const others = faults.filter((fault) => !/^The key .* run .* log rotate-key again/.test(fault));
  assert.deepEqual([size, others], [made, []]);
  return keys;
}

/** Kills a replacement of the key, runs it again, and returns the new key and how many steps it has. */
async function replaceKilled(step: number, old: string) {
  const steps = await runKilled('replace', step);
  await addLeaf();
  assert.ok((await signers()).includes(old), `the old key signs, killed at step ${step}`);
  await runAgain('replace');
  const [newest = '', ...others] = await signers();
  assert.deepEqual(others, [old]);
  assert.notEqual(newest, old);
  return { newest, steps };
}

/** Kills the end of a replacement, and runs it again. Returns whether it was killed. */
async function endKilled(step: number, newest: string): Promise<boolean> {
  const steps = await runKilled('end', ((step - 1) % endSteps) + 1);
  await addLeaf();
  assert.equal((await signers())[0], newest, `the new key signs, killed at step ${step}`);
  await runAgain('end');
  assert.deepEqual(await signers(), [newest]);
  return steps === undefined;
}

/** The steps to kill at: of a long run all, until a run was not killed. */
function* killedAt(isOver: () => boolean): Generator<number> {
  if (!isLong) yield* few;
  else for (let step = 1; !isOver(); step += 1) yield step;
}

test(
  'kills while the key is replaced, and while that is ended',
  { timeout: patienceMs },
  async (t) => {
    await startLog(services);
    let [old = ''] = await signers();
    let [kills, isOver] = [0, false];
    for (const step of killedAt(() => isOver)) {
      const { newest, steps } = await replaceKilled(step, old);
      isOver = steps !== undefined;
      kills += Number(!isOver) + Number(await endKilled(step, newest));
      old = newest;
    }
    assert.ok(kills >= 6, `${kills} kills`);
    t.diagnostic(`${kills} kills, ${made} leaves`);
  },
);
