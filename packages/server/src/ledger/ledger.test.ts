// Tests of the ledger's files: their content after crashes, after concurrent writes, and in two places.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { openLedgerFiles } from '#storage';
import { ledgerLines } from '#test/ledgers';
import { formerLedger, ledgerLine, openLedger } from './index.ts';
import type { BrokenLine, Erasure, Ledger, LedgerEntry } from './index.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-ledger-'));
  folders.push(folder);
  return join(folder, 'data');
}

async function ledgerIn(folder: string, copies?: string): Promise<Ledger> {
  return openLedger(
    await openLedgerFiles({ folder }),
    copies === undefined ? undefined : await openLedgerFiles({ folder: copies }),
  );
}

const erasure = (): Erasure => ({
  article_id: newId(7),
  erased_at: '2026-01-31T09:30:00.000Z',
});
const many = (count: number) => Array.from({ length: count }, erasure);

async function read(ledger: Ledger): Promise<{ found: LedgerEntry[]; broken: BrokenLine[] }> {
  const broken: BrokenLine[] = [];
  const found: LedgerEntry[] = [];
  for await (const one of ledger.read((where) => broken.push(where))) found.push(one);
  return { found, broken };
}

const idOf = (entry: LedgerEntry) => ('article_id' in entry ? entry.article_id : '');
const byId = (one: LedgerEntry, other: LedgerEntry) => (idOf(one) < idOf(other) ? -1 : 1);

test('nothing before the first erasure, and no file', async () => {
  const folder = await newFolder();
  const ledger = await ledgerIn(folder);
  assert.deepEqual(await read(ledger), { found: [], broken: [] });
  await ledger.append([]);
  await assert.rejects(stat(folder));
});

test('appended erasures are there for another process, in order, for the owner only', async () => {
  const folder = await newFolder();
  const ledger = await ledgerIn(folder);
  const all = many(3);
  for (const one of all) await ledger.append([one]);
  // Again: the file contains them.
  await ledger.append(all);
  assert.deepEqual((await read(await ledgerIn(folder))).found, all);
  const [name = '', ...more] = await readdir(join(folder, 'erasures'));
  assert.deepEqual(more, []);
  assert.equal((await stat(join(folder, 'erasures', name))).mode & 0o777, 0o600);
});

test('400 at once from two hosts are 400 whole lines, and 8,000 fill several files', async () => {
  const folder = await newFolder();
  const [ledger, other] = [await ledgerIn(folder), await ledgerIn(folder)];
  const all = many(400);
  await Promise.all(all.map((one, index) => (index % 2 ? other : ledger).append([one])));
  const more = many(8_000);
  for (let at = 0; at < more.length; at += 1_000) await other.append(more.slice(at, at + 1_000));
  const { found, broken } = await read(await ledgerIn(folder));
  assert.deepEqual(broken, []);
  assert.deepEqual(found.toSorted(byId), [...all, ...more].toSorted(byId));
  assert.ok((await readdir(join(folder, 'erasures'))).length > 3);
});

test('a broken line is reported and skipped, and affects no other', async () => {
  const folder = await newFolder();
  const ledger = await ledgerIn(folder);
  const [one, two] = [erasure(), erasure()];
  await ledger.append([one]);
  const [name = ''] = await readdir(join(folder, 'erasures'));
  const file = join(folder, 'erasures', name);
  const whole = await readFile(file, 'utf8');
  const changed = whole.replace(one.article_id, newId(7));
  await appendFile(file, `${whole.slice(0, 40)}\n${changed}${ledgerLine(two)}`);
  const broken = [2, 3].map((line) => ({ file: name, line }));
  assert.deepEqual(await read(ledger), { found: [one, two], broken });
});

test('a folder that cannot be written rejects, and the next erasure is stored', async () => {
  const folder = await newFolder();
  await appendFile(folder, 'a file where the folder should be');
  const ledger = await ledgerIn(folder);
  await assert.rejects(ledger.append([erasure()]));
  await rm(folder);
  const one = erasure();
  await ledger.append([one]);
  assert.deepEqual((await read(ledger)).found, [one]);
});

test('copy and recover bring each place what the other has more of, and delete nothing', async () => {
  const [folder, copies] = [await newFolder(), await newFolder()];
  const ledger = await ledgerIn(folder, copies);
  const [one, two, three] = [erasure(), erasure(), erasure()];
  await ledger.append([one]);
  await ledger.copy();
  await ledger.append([two]);
  await ledger.copy();
  assert.deepEqual((await ledgerLines(copies)).length, 2);
  await (await ledgerIn(copies)).append([three]);
  await rm(folder, { recursive: true });
  const later = await ledgerIn(folder, copies);
  await later.copy();
  assert.deepEqual((await ledgerLines(copies)).length, 3);
  await later.recover();
  const { found } = await read(later);
  assert.deepEqual(found.toSorted(byId), [one, two, three].toSorted(byId));
});

test('the file of an earlier version is moved into the ledger once', async () => {
  const folder = await newFolder();
  const ledger = await ledgerIn(folder);
  const [file, all] = [join(`${folder}-earlier`, '..', formerLedger), many(3)];
  await ledger.adopt(file);
  await writeFile(file, all.map(ledgerLine).join(''));
  await ledger.adopt(file);
  await assert.rejects(stat(file));
  assert.deepEqual((await read(await ledgerIn(folder))).found, all);
});

test('every kind of entry is read as it was written, beside lines of earlier and of later versions', async () => {
  const folder = await newFolder();
  const ledger = await ledgerIn(folder);
  const acted_at = '2026-02-01T09:30:00.000Z';
  const entries: LedgerEntry[] = [
    { principal_id: newId(7), closed_at: acted_at },
    ...(['remove', 'restore'] as const).map((action) => ({
      target_type: 'comment' as const,
      target_id: newId(7),
      action,
      reason_code: 'court_order',
      acted_at,
    })),
  ];
  await ledger.append(entries);
  const [name = ''] = await readdir(join(folder, 'erasures'));
  const earlier =
    '{"article_id":"01M7Z3KJBG7YHCVKQDVW6J2007","erased_at":"2026-01-31T09:30:00.000Z","check":"93f41c409cb9b4aa"}\n';
  const later = '{"person":"01M7Z3KJBG7YHCVKQDVW6J2007","check":"0123456789abcdef"}\n';
  await appendFile(join(folder, 'erasures', name), later + earlier);
  const { found, broken } = await read(ledger);
  const erased = {
    article_id: '01M7Z3KJBG7YHCVKQDVW6J2007',
    erased_at: '2026-01-31T09:30:00.000Z',
  };
  assert.deepEqual(found, [...entries, erased]);
  assert.deepEqual(broken, [{ file: name, line: 4 }]);
});

test('what is unrecorded is appended and copied before it is marked, in steps, and once', async () => {
  const [folder, copies] = [await newFolder(), await newFolder()];
  const ledger = await ledgerIn(folder, copies);
  const waiting = many(1_500);
  const steps: number[] = [];
  const unrecorded = {
    list: (limit: number) => Promise.resolve(waiting.slice(0, limit)),
    setRecorded: async (entries: readonly Erasure[]) => {
      waiting.splice(0, entries.length);
      steps.push((await ledgerLines(copies)).length);
    },
  };
  await ledger.complete(unrecorded);
  await ledger.complete(unrecorded);
  assert.deepEqual(steps, [1_000, 1_500]);
  assert.equal((await ledgerLines(folder)).length, 1_500);
});
