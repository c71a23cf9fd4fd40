// The operator's side of the log: status, verify, rebuild-tiles, recover, rotate-key, and what is refused.
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import {
  checkNote,
  parseNote,
  parseVerifierKey,
  verifierKeyOf,
  writeVerifierKey,
} from '@colophon/tlog';
import { sql } from '#database';
import { newId } from '#lib/id';
import { sha256 } from '#lib/sha256';
import { openLogFiles } from '#storage';
import type { LogFiles } from '#storage';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { operate, startAdmin } from '#test/operator';
import { quiet, until } from '#test/throw-away-database';
import { readLog, verifyWith } from '#test/transparency-log';
import { insertLeaves, listLogKeys } from './queries/index.ts';
import { startLog } from './service/key.ts';
import { integrate } from './service/integrate.ts';
import { sequence } from './service/sequence.ts';

let server: TestServer;
let files: LogFiles;
let made = 0;

before(async () => {
  // No sequencer runs: each test has it work when it wants.
  server = await startServer({ ROLE: 'web' });
  files = await openLogFiles(server.services.config.mediaStore);
  await startLog(server.services);
});
after(() => server[Symbol.asyncDispose]());

const admin = (...args: string[]) => operate(server, ...args);

async function insertSome(count: number, mark = 'leaf'): Promise<void> {
  const leaves = Array.from({ length: count }, () => {
    made += 1;
    return {
      cause: `${mark}/${made}`,
      ticket: newId(0),
      entry: JSON.stringify({ kind: mark, at: '', number: made }),
      articleId: null,
      salt: null,
    };
  });
  await server.db.transaction((tx) => insertLeaves(tx, leaves));
}

/** The sequencer of a process that has just got the lease. */
async function work(): Promise<void> {
  const services = { ...server.services, log: quiet, files };
  const state = { published: undefined, pauses: new Map<string, number>() };
  while (await integrate(services, state, async () => true));
}

async function grow(count: number): Promise<void> {
  await insertSome(count);
  await work();
}

const tables = ['log_leaves', 'log_tiles', 'log_heads'] as const;
const asOwner = (statement: ReturnType<typeof sql>) =>
  server.db.transaction((tx) => tx.run(statement));
const plain = (text: string) => sql([text] as unknown as TemplateStringsArray);

async function save(): Promise<void> {
  for (const table of tables)
    await asOwner(plain(`create table saved_${table} as select * from ${table}`));
}

/** Puts the tables back as they were, as a restored backup does. */
async function restore(): Promise<void> {
  for (const table of tables) {
    await asOwner(plain(`delete from ${table}`));
    await asOwner(plain(`insert into ${table} select * from saved_${table}`));
    await asOwner(plain(`drop table saved_${table}`));
  }
}

beforeEach(() => grow(3));

test('status, verify and doctor of a whole log', async () => {
  await insertSome(2);
  const { out, code } = await admin('log', 'status');
  assert.equal(code, 0, out);
  assert.match(out, /leaves {5}3, of which 3 are published/);
  assert.match(out, /waiting {4}2, the oldest for \d+ s/);
  await work();
  assert.match((await admin('log', 'verify')).out, /The log is whole: 5 leaves/);
  assert.match((await admin('doctor')).out, /ok {4}public log +5 of 5 leaves published, 0 waiting/);
  for (const args of [['log'], ['log', 'toString'], ['log', 'rotate-key', '--no']])
    assert.equal((await admin(...args)).code, 1);
});

test('verify names what was changed in database and store; rebuild-tiles writes the files again', async () => {
  await grow(300);
  const media = server.services.config.mediaStore as { readonly folder: string };
  const tile = join(media.folder, 'log', 'tile', '0', '000');
  const bytes = await readFile(tile);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  await writeFile(tile, bytes);
  const wrong = await admin('log', 'verify');
  assert.equal(wrong.code, 1);
  assert.match(wrong.out, /The file tile\/0\/000 has other bytes than the database/);
  await rename(join(media.folder, 'log', 'tile', 'entries'), join(media.folder, 'log', 'gone'));
  assert.match((await admin('log', 'verify')).out, /The file tile\/entries\/000 is missing/);
  assert.match((await admin('log', 'rebuild-tiles')).out, /Wrote the tiles of \d+ leaves again/);
  assert.equal((await admin('log', 'verify')).code, 0);
  await asOwner(plain(`update log_leaves set entry = '{"changed":1}' where number = 270`));
  assert.match(
    (await admin('log', 'verify')).out,
    /Leaf 270 is not the one whose hash is in the tree/,
  );
  const original = JSON.stringify((await readLog(server)).entries[270]);
  await asOwner(sql`update log_leaves set entry = ${original} where bucket = 0 and number = 270`);
  assert.equal((await admin('log', 'verify')).code, 0);
});

test('a restored older database signs nothing shorter, says what to do, and takes the lost leaves over', async () => {
  // These wait at the time of the backup, and are published after it.
  await insertSome(3, 'before');
  await save();
  await grow(260);
  const published = await readLog(server);
  await restore();
  await insertSome(5, 'later');
  await work();
  const { out, code } = await admin('log', 'status');
  assert.equal(code, 1);
  assert.match(out, /REFUSED .*restored from an older state\. Run npm run admin -- log recover/);
  assert.match((await admin('doctor')).out, /WRONG public log .*log recover/);
  assert.equal((await readLog(server)).note, published.note, 'what was published stays');
  assert.match((await admin('log', 'recover')).out, /Took over 263 leaves/);
  assert.match((await admin('log', 'recover')).out, /nothing to take over/);
  await work();
  const again = await readLog(server);
  assert.deepEqual(again.entries.slice(0, published.entries.length), published.entries);
  assert.equal(again.entries.length, published.entries.length + 5);
  assert.equal((await admin('log', 'status')).code, 0);
  assert.equal((await admin('log', 'verify')).code, 0);
});

test('a database with other leaves than the published ones signs nothing, and takes nothing over', async () => {
  await save();
  await grow(4);
  const { note } = await readLog(server);
  await restoreAnd(async () => {
    await insertSome(9, 'forged');
    await sequence(server.db, async () => undefined, new Date());
    await work();
    const { out } = await admin('log', 'status');
    assert.match(out, /REFUSED .*has other leaves than the published one/);
    assert.equal((await readLog(server)).note, note);
  });
});

/** Runs on the restored older tables, then puts those of now back. */
async function restoreAnd(run: () => Promise<void>): Promise<void> {
  for (const table of tables)
    await asOwner(plain(`create table present_${table} as select * from ${table}`));
  await restore();
  await run();
  for (const table of tables) {
    await asOwner(plain(`delete from ${table}`));
    await asOwner(plain(`insert into ${table} select * from present_${table}`));
    await asOwner(plain(`drop table present_${table}`));
  }
}

test('without its key, or with another one, nothing is signed; with it again, everything is', async () => {
  const { logKeyFile: file } = server.services.config;
  await rename(file, `${file}.away`);
  const missing = /WRONG public log .*key of the transparency log is missing/;
  assert.match((await admin('doctor')).out, missing, 'before anything is to be published');
  await writeFile(file, 'no key');
  assert.match((await admin('doctor')).out, /WRONG public log .*not an Ed25519 private key/);
  await grow(1);
  assert.match((await admin('log', 'status')).out, /REFUSED .*not an Ed25519 private key/);
  await rm(file);
  await work();
  const { out } = await admin('log', 'status');
  assert.match(out, /REFUSED .*key of the transparency log is missing/);
  assert.match(out, /waiting {4}1, the oldest for \d+ s/, 'in the tree, but not published');
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  await work();
  assert.match(
    (await admin('log', 'status')).out,
    /REFUSED .*is not the key of this transparency log/,
  );
  await rename(`${file}.away`, file);
  await work();
  assert.equal((await admin('log', 'status')).code, 0);
  assert.equal((await admin('log', 'verify')).code, 0);
});

/** Which of the keys verify the published checkpoint. */
async function signers(): Promise<readonly string[]> {
  const note = parseNote((await files.read('checkpoint'))?.toString('utf8') ?? '');
  const keys = (await listLogKeys(server.db)).map(({ verifier_key }) => verifier_key);
  assert.ok(note);
  const verified = [];
  for (const text of keys) {
    const key = parseVerifierKey(sha256, text);
    assert.ok(key);
    if ((await checkNote(note, [key], verifyWith)).verified.length === 1) verified.push(text);
  }
  return verified;
}

test('a new key: both sign until the rotation ends; a lost one is replaced without a signature', async () => {
  const [first = ''] = await signers();
  const { out } = await admin('log', 'rotate-key');
  const second = /The new key is (\S+)/.exec(out)?.[1] ?? '';
  await work();
  assert.deepEqual((await signers()).toSorted(), [first, second].toSorted());
  await until('meta names both keys', async () => {
    const { log } = (await server.ask('GET', '/v1/meta')).body;
    return log.verifier_key === second && log.previous_verifier_key === first;
  });
  assert.equal((await admin('log', 'rotate-key')).code, 1);
  assert.ok((await admin('log', 'rotate-key', '--finish')).out.includes(first));
  await work();
  assert.deepEqual(await signers(), [second]);
  assert.match((await admin('log', 'rotate-key', '--finish')).out, /No key is being replaced/);
  assert.match((await admin('log', 'rotate-key', '--lost')).complaint, /The key is not lost/);
  const { logKeyFile: file } = server.services.config;
  await rename(file, `${file}.lost`);
  const lost = await admin('log', 'rotate-key', '--lost');
  const third = /The new key is (\S+)/.exec(lost.out)?.[1] ?? '';
  await work();
  assert.deepEqual(await signers(), [third]);
  assert.equal((await admin('log', 'verify')).code, 0);
});

const namesOfKeys = (out: string) => [...out.matchAll(/^key {8}(\S+)$/gm)].map(([, key]) => key);

/** Two processes that change the key at the same time. Returns the new key. */
async function rotateTwice(): Promise<string> {
  const runs = [0, 1].map(() => startAdmin(server, 'log', 'rotate-key').done());
  const ran = await Promise.all(runs);
  assert.deepEqual(new Set(ran.map(({ code }) => code)), new Set([0, 1]), JSON.stringify(ran));
  const complaints = ran.map(({ complaint }) => complaint).join('');
  assert.match(complaints, /^The key is being replaced already: .*--finish\.\n$/);
  return /The new key is (\S+)/.exec(ran.map(({ out }) => out).join(''))?.[1] ?? '';
}

test('two commands at once change the key once: no key is lost, and none is announced that cannot sign', async () => {
  for (let round = 0; round < 3; round += 1) {
    const [old = ''] = await signers();
    const made = await rotateTwice();
    await work();
    assert.deepEqual(namesOfKeys((await admin('log', 'status')).out), [made, old]);
    assert.equal((await admin('log', 'verify')).code, 0);
    const ends = [0, 1].map(() => startAdmin(server, 'log', 'rotate-key', '--finish').done());
    assert.deepEqual(
      new Set((await Promise.all(ends)).map(({ out }) => out.split('\n')[0])),
      new Set(['No key is being replaced.', old]),
    );
    await work();
    assert.deepEqual(await signers(), [made]);
  }
});

test('a key of the database that has no file is reported, and the end of the rotation ends it too', async () => {
  const [present = ''] = await signers();
  const origin = present.slice(0, present.indexOf('+'));
  const dead = writeVerifierKey(verifierKeyOf(sha256, origin, 1, randomBytes(32)));
  await asOwner(
    sql`insert into log_keys (bucket, verifier_key, created_at) values (0, ${dead}, now())`,
  );
  await grow(1);
  for (const command of [['doctor'], ['log', 'verify']]) {
    const { out, code } = await admin(...command);
    assert.equal(code, 1);
    assert.ok(out.includes(`The key ${dead} is in use and has not signed`), out);
  }
  assert.match(
    (await admin('log', 'rotate-key')).complaint,
    /No file has the key .*--finish first/,
  );
  assert.ok((await admin('log', 'rotate-key', '--finish')).out.includes(dead));
  await work();
  assert.equal((await admin('log', 'verify')).code, 0);
  assert.deepEqual(await signers(), [present]);
});
