// kill -9 of the sequencer at each of its steps: one history, every cause once, and nothing published is taken back.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  createFrontier,
  entriesPath,
  leafHash,
  parseCheckpoint,
  parseNote,
  tilePath,
  tilesOf,
  unpackEntries,
} from '@colophon/tlog';
import { openDatabase, sql } from '#database';
import { newId } from '#lib/id';
import { sha256 } from '#lib/sha256';
import { openLogFiles } from '#storage';
import { insertLeaves } from '../../src/areas/log/queries/index.ts';
import { verifyLog } from '#log';
import { cloneDatabase } from '../database.ts';
import { effort } from '../effort.ts';
import { runMark } from './server-process.ts';

const kills = effort(4, 200);
const patienceMs = 30_000 + kills * 10_000;

const parts = new AsyncDisposableStack();
after(() => parts.disposeAsync());
const database = parts.use(await cloneDatabase());
const dataDir = await mkdtemp(join(tmpdir(), 'colophon-log-'));
parts.defer(() => rm(dataDir, { recursive: true, force: true }));
const db = parts.use(
  openDatabase({
    connection: database.connection,
    readers: 2,
    writers: 2,
    onError: () => undefined,
  }),
);
const files = parts.use(await openLogFiles({ folder: join(dataDir, 'media') }));

/** Runs the sequencer until it kills itself at a step, or has nothing left to do; returns its steps then. */
async function run(step: number): Promise<number | undefined> {
  const program = fileURLToPath(import.meta.resolve('./log-child.ts'));
  const args = [program, String(step), JSON.stringify(database.connection)];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...runMark, DATA_DIR: dataDir, BASE_URL: 'https://log.example' },
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal === 'SIGKILL') return undefined;
  assert.equal(code, 0);
  return Number(out);
}

let made = 0;
/** Leaves of new causes, and some of known ones. */
async function insertSome(count: number): Promise<void> {
  const again = Math.min(made, 3);
  const leaves = Array.from({ length: count + again }, (_, at) => made - again + at).map(
    (number) => ({
      cause: `test/${String(number).padStart(8, '0')}`,
      ticket: newId(0),
      entry: JSON.stringify({ number }),
      articleId: null,
      salt: null,
    }),
  );
  await db.transaction((tx) => insertLeaves(tx, leaves));
  made += count;
}

let published: readonly string[] = [];
const roots = new Map<number, string>();

/** Reads the files of a published tree, and its entries. */
async function readPublished(size: number) {
  const frontier = createFrontier(sha256);
  const entries: string[] = [];
  for (const { level, index, width } of tilesOf(size)) {
    const tile = await files.read(tilePath(level, index, width));
    assert.ok(tile, `tile ${level}/${index} of ${width}`);
    if (level > 0) continue;
    const bundle = unpackEntries((await files.read(entriesPath(index, width))) ?? Buffer.alloc(0));
    assert.equal(bundle?.length, width);
    for (const entry of bundle ?? []) frontier.add(leafHash(sha256, entry));
    entries.push(...(bundle ?? []).map((entry) => Buffer.from(entry).toString('utf8')));
  }
  return { root: Buffer.from(frontier.root()).toString('hex'), entries };
}

/** What is published continues what was published before, and fits its root. */
async function checkPublished(): Promise<void> {
  const note = (await files.read('checkpoint'))?.toString('utf8');
  if (note === undefined) return;
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '');
  assert.ok(checkpoint);
  const { root, entries } = await readPublished(checkpoint.size);
  assert.equal(root, Buffer.from(checkpoint.root).toString('hex'));
  assert.equal(roots.get(checkpoint.size) ?? root, root, 'one tree of this size');
  assert.deepEqual(entries.slice(0, published.length), published, 'one history');
  roots.set(checkpoint.size, root);
  published = entries;
}

test(`${kills} kills at each step`, { timeout: patienceMs * 2 }, async (t) => {
  let step = 0;
  const ended: number[] = [];
  for (let kill = 0; kill < kills;) {
    await insertSome(Math.floor(Math.random() * 700));
    step += 1;
    const steps = await run(step);
    await checkPublished();
    if (steps === undefined) kill += 1;
    else {
      ended.push(steps);
      step = 0;
    }
    // In a short run, each step has the same chance; in a long one, all of them are met one after the other.
    if (kills < 50 && step > 0) step += Math.floor(Math.random() * 4);
  }
  await run(0);
  await checkPublished();
  assert.equal(published.length, made);
  assert.equal(new Set(published).size, made, 'each cause once');
  const inOrder = await db.rows(sql<{ number: number; cause: string }>`
    select number, cause from log_leaves where bucket = 0 order by ticket`);
  assert.deepEqual(
    inOrder.map(({ number }) => number),
    Array.from({ length: made }, (_, number) => number),
  );
  assert.deepEqual(await verifyLog(db, files), { size: made, faults: [] });
  t.diagnostic(`${made} leaves, rounds of ${ended.join(', ')} steps`);
});
