// Tests of the ledger's file: its content after crashes and after many concurrent writes.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { openLedger } from './index.ts';
import type { Erasure, Ledger } from './index.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function fresh(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-ledger-'));
  folders.push(folder);
  return join(folder, 'data');
}

const erasure = (): Erasure => ({
  article_id: newId(7),
  erased_at: '2026-01-31T09:30:00.000Z',
});

async function read(ledger: Ledger): Promise<{ found: Erasure[]; broken: number[] }> {
  const broken: number[] = [];
  const found: Erasure[] = [];
  for await (const one of ledger.read((line) => broken.push(line))) found.push(one);
  return { found, broken };
}

test('nothing before the first erasure, and no file', async () => {
  const folder = await fresh();
  assert.deepEqual(await read(openLedger(folder)), { found: [], broken: [] });
  await assert.rejects(stat(folder));
});

test('what was appended is there for whoever opens it next, in order, for the owner only', async () => {
  const folder = await fresh();
  const ledger = openLedger(folder);
  const all = [erasure(), erasure(), erasure()];
  for (const one of all) await ledger.append(one);
  assert.deepEqual((await read(openLedger(folder))).found, all);
  assert.equal((await stat(ledger.path)).mode & 0o777, 0o600);
});

test('400 at once from two writers are 400 whole lines', async () => {
  const folder = await fresh();
  const [ledger, other] = [openLedger(folder), openLedger(folder)];
  const all = Array.from({ length: 400 }, erasure);
  await Promise.all(all.map((one, index) => (index % 2 ? other : ledger).append(one)));
  const { found, broken } = await read(openLedger(folder));
  assert.deepEqual(broken, []);
  const byId = (one: Erasure, other: Erasure) => (one.article_id < other.article_id ? -1 : 1);
  assert.deepEqual(found.toSorted(byId), all.toSorted(byId));
});

test('a line that a crash cut short is passed over and told, and spoils no other', async () => {
  const folder = await fresh();
  const ledger = openLedger(folder);
  const [one, two] = [erasure(), erasure()];
  await ledger.append(one);
  const whole = await readFile(ledger.path, 'utf8');
  await appendFile(ledger.path, whole.slice(0, 40));
  await ledger.append(two);
  assert.deepEqual(await read(openLedger(folder)), { found: [one, two], broken: [2] });
});

test('a line whose id was changed is broken', async () => {
  const folder = await fresh();
  const ledger = openLedger(folder);
  const { article_id, erased_at } = erasure();
  await ledger.append({ article_id, erased_at });
  const text = await readFile(ledger.path, 'utf8');
  await appendFile(ledger.path, text.replace(article_id, newId(7)));
  assert.deepEqual((await read(openLedger(folder))).broken, [2]);
});

test('a folder that cannot be written refuses, and the next erasure is tried anew', async () => {
  const folder = await fresh();
  await appendFile(folder, 'a file where the folder should be');
  const ledger = openLedger(folder);
  await assert.rejects(ledger.append(erasure()));
  await rm(folder);
  const one = erasure();
  await ledger.append(one);
  assert.deepEqual((await read(ledger)).found, [one]);
});
