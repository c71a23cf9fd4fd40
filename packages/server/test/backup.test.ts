// Backups of a running server: what is in one, what a restore brings back, and what is refused.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { packTar, unpackTar } from 'modern-tar';
import { openMediaStore } from '#storage';
import {
  addWaiting,
  assertRan,
  backUpAtRest,
  emptyTarget,
  onServer,
  tableHashes,
} from './backups.ts';
import type { EmptyTarget } from './backups.ts';
import { startServer } from './harness.ts';
import type { Human, TestServer } from './harness.ts';
import { ledgerCount } from './ledgers.ts';
import { pngOf, storedNames, upload, variantsMade } from './media-files.ts';
import { operate } from './operator.ts';
import { until } from './throw-away-database.ts';

let server: TestServer;
let human: Human;
let folder: string;
/** A backup of everything that `before` made. */
let file: string;
let source: Awaited<ReturnType<typeof tableHashes>>;
let mediaId: string;
let bucketFiles: readonly string[];
const articles: Record<'erased' | 'later' | 'stays', string> = { erased: '', later: '', stays: '' };

function untilSettled(): Promise<void> {
  return until('the pipeline is empty', async () => {
    const { body } = await server.ask('GET', '/readyz');
    return body.figures.pipeline.waiting === 0;
  });
}

async function erase(id: string): Promise<void> {
  const asked = { token: human.token, key: true, body: { confirm: 'erase' } } as const;
  assert.equal((await server.ask('POST', `/v1/articles/${id}/erase`, asked)).status, 200);
}

/** The text of an article in the restored database; undefined if it is nowhere. */
async function textOf(target: EmptyTarget, id: string): Promise<string | undefined> {
  const rows = await target.ask<{ content: string }>(
    `select c.content from revisions r
     join contents c on c.bucket = r.bucket and c.hash = r.held_hash where r.article_id = $1`,
    [id],
  );
  return rows[0]?.content;
}

async function bytesIn(dataDir: string, name: string): Promise<Buffer> {
  await using store = await openMediaStore({ folder: join(dataDir, 'media') });
  const found = await store.open(name);
  assert.ok(found, `${name} is in the store`);
  return await buffer(found);
}

before(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'colophon-backups-'));
  file = join(folder, 'first.tar');
  human = await server.register();
  const other = await server.register();
  for (const name of ['erased', 'later', 'stays'] as const)
    articles[name] = (await server.published(human, { content: `The text that is ${name}.` })).id;
  const comment = {
    token: other.token,
    key: true,
    body: { content: 'A comment\twith a tab.' },
  } as const;
  await server.ask('POST', `/v1/articles/${articles.stays}/comments`, comment);
  assertRan(await operate(server, 'trust', human.username, '2'));
  mediaId = (await upload(server, human, 'image', pngOf(1300, 20))).body.id;
  await variantsMade(server, mediaId);
  bucketFiles = await storedNames(server, mediaId);
  await erase(articles.erased);
  await untilSettled();
  const { out, hashes } = await backUpAtRest(server, file);
  source = hashes;
  assert.match(
    out,
    /^\d+ rows in \d+ tables, \d+ files \([\d.]+ \w+\), 1 ledger line\nWritten to /,
  );
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('a restored backup has every row and file, its audit log verifies, and doctor is clean', async () => {
  await using target = await emptyTarget(server);
  const restored = await target.operate('restore', file);
  assertRan(restored);
  assert.match(restored.out, /^Restored the backup of 20.*: \d+ rows.*\nStart the server now\.\n$/);
  assert.deepEqual(await tableHashes(target.connection), source);
  assert.ok(bucketFiles.length > 1);
  for (const name of bucketFiles) {
    const original = await server.services.store.open(name);
    assert.ok(original);
    assert.deepEqual(await bytesIn(target.dataDir, name), await buffer(original));
  }
  assert.match((await target.operate('verify-audit')).out, /is whole: 1 rows/);
  const keyless = await target.operate('doctor');
  assert.match(keyless.out, /WRONG public log +The key of the transparency log is missing/);
  // A backup holds no secret key: the operator brings it.
  const key = 'log/key.pem';
  await cp(join(server.services.config.dataDir, key), join(target.dataDir, key));
  const examined = await target.operate('doctor');
  assert.equal(examined.code, 0, examined.out);
  assert.equal(await ledgerCount(join(target.dataDir, 'media'), articles.erased), 1);
  const [schema] = await target.ask<{ keys: number; indexes: number }>(`
    select (select count(*) from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace)::integer as keys,
      (select count(*) from pg_indexes where schemaname = 'public')::integer as indexes`);
  const [wanted] = await onServer(server.services.connection, async (client) => {
    const { rows } = await client.query(`
      select (select count(*) from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace)::integer as keys,
        (select count(*) from pg_indexes where schemaname = 'public')::integer as indexes`);
    return rows as unknown[];
  });
  assert.deepEqual(schema, wanted);

  const again = await target.operate('restore', file);
  assert.equal(again.code, 1);
  assert.match(again.complaint, /^The database is not empty: restore into an empty one/);
});

test('what was erased after the backup is erased again', async () => {
  await erase(articles.later);
  const { dataDir } = server.services.config;
  await using target = await emptyTarget(server);
  await cp(join(dataDir, 'media/erasures'), join(target.dataDir, 'media/erasures'), {
    recursive: true,
  });
  const restored = await target.operate('restore', file);
  assertRan(restored);
  assert.match(restored.out, /Repeated 1 erasures that are later than the backup\./);
  assert.equal(await textOf(target, articles.later), undefined);
  assert.equal(await textOf(target, articles.stays), 'The text that is stays.');
  assert.ok((await ledgerCount(join(target.dataDir, 'media'), articles.later)) > 0);
  const removed = 'select removed_at from articles where id = $1';
  const { rows } = await onServer(server.services.connection, (client) =>
    client.query(removed, [articles.later]),
  );
  assert.deepEqual(await target.ask(removed, [articles.later]), rows, 'at the time of its erasure');
});

test('verify says what is in it, and refuses what is damaged, cut off, or no backup', async () => {
  const well = await operate(server, 'verify', file);
  assertRan(well);
  assert.match(
    well.out,
    /^The backup is whole: \d+ rows in \d+ tables.*\nTaken at 20.* from http.*PostgreSQL 18/,
  );
  const bytes = await readFile(file);
  const half = Math.floor(bytes.length / 2);
  const members = await unpackTar(bytes);
  // Inside of a member: the bytes that fill up a block of the archive belong to none.
  const rows = members.find(({ header }) => header.name.startsWith('database/articles/'));
  const at = bytes.indexOf(Buffer.from(rows?.data ?? [])) + 20;
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  const without = (name: RegExp) =>
    packTar(members.filter(({ header }) => !name.test(header.name)));
  const cases: readonly [string, Uint8Array, RegExp][] = [
    ['flipped', flipped, /damaged/],
    ['cut', bytes.subarray(0, half), /not complete|not a complete backup/],
    ['no end', await without(/manifest/), /The backup is not complete/],
    ['no rows', await without(/database\/articles\//), /differs from its members/],
    [
      'no sums',
      await without(/database\/articles\/|checksums\//),
      /rows of articles|without checksums/,
    ],
    ['text', Buffer.from('Some text.'), /not a complete backup|not complete/],
    ['empty', Buffer.alloc(0), /not a complete backup/],
  ];
  for (const [name, content, sentence] of cases) {
    const path = join(folder, `${name}.tar`);
    await writeFile(path, content);
    const { code, complaint, out } = await operate(server, 'verify', path);
    assert.equal(code, 1, `${name}: ${out}`);
    assert.match(complaint.trim().split('\n').at(-1) ?? '', sentence, name);
  }
});

/** Writes a backup with other members to the folder. */
async function writeChanged(
  name: string,
  change: (members: Awaited<ReturnType<typeof unpackTar>>) => ReturnType<typeof unpackTar>,
): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, await packTar(await change(await unpackTar(await readFile(file)))));
  return path;
}

test('a restore that is refused or fails leaves nothing, and can be repeated; waiting messages are kept, tokens end', async () => {
  await using target = await emptyTarget(server);
  await using store = await openMediaStore({ folder: join(target.dataDir, 'media') });
  const chunks = (async function* one() {
    yield Buffer.from('x');
  })();
  const { name } = await store.put({ bucket: 7, length: 1, chunks });
  const full = await target.operate('restore', file);
  assert.equal(full.code, 1);
  assert.match(full.complaint, /^The media store is not empty: .*--keep-media/);

  const newer = await writeChanged('newer.tar', async ([{ data } = {}]) => {
    const text = Buffer.from(data ?? '').toString();
    const body = Buffer.from(text.replace('0056_exports', '9056_exports'));
    return [{ header: { name: 'backup.json', size: body.length }, data: new Uint8Array(body) }];
  });
  const refused = await target.operate('restore', newer, '--keep-media');
  assert.match(
    refused.complaint,
    /newer than this version of Colophon \(it has the migration 9056/,
  );

  const cut = await writeChanged('without-end.tar', async (members) => members.slice(0, -1));
  const failed = await target.operate('restore', cut, '--keep-media');
  assert.equal(failed.code, 1);
  assert.match(failed.complaint, /The backup is not complete/);
  assert.deepEqual(await target.ask('select from articles'), []);
  const started = await target.operate('trust', human.username, '1');
  assert.match(started.complaint, /^A restore into this database was interrupted: run the same/);

  const [first, second, third] = await addWaiting(server, articles.stays);
  const waiting = join(folder, 'waiting.tar');
  assertRan(await operate(server, 'backup', waiting));
  const restored = await target.operate('restore', waiting, '--revoke-tokens');
  assertRan(restored);
  assert.equal(await textOf(target, articles.stays), 'The text that is stays.');
  for (const one of [name, ...bucketFiles]) assert.ok(await store.exists(one));
  assert.match(restored.out, /Revoked 2 tokens\./);
  assert.deepEqual(await target.ask('select from tokens where revoked_at is null'), []);
  assert.deepEqual(await target.ask('select id, type, payload from outbox order by id'), [
    { id: first, type: 'article.changed', payload: { article_id: articles.stays } },
    { id: second, type: 'article.changed', payload: { article_id: articles.stays } },
    { id: third, type: 'nobody.knows', payload: { a: 1 } },
  ]);
});

test('a restore onto a full disk says where space is needed, and succeeds once there is some', async (t) => {
  await using target = await emptyTarget(server);
  const disk = join(target.dataDir, 'media');
  await mkdir(disk);
  const mount = (...options: string[]) => spawnSync('mount', ['-t', 'tmpfs', ...options]).status;
  if (mount('-o', 'size=8k', 'tmpfs', disk) !== 0) return t.skip('nothing can be mounted');
  try {
    const { code, complaint } = await target.operate('restore', file);
    assert.equal(code, 1);
    assert.match(
      complaint,
      /^There is no space left for the restore \(ENOSPC.*same command again/m,
    );
    spawnSync('mount', ['-o', 'remount,size=16m', disk]);
    assertRan(await target.operate('restore', file));
  } finally {
    spawnSync('umount', [disk]);
  }
});

test('tar unpacks a backup, and sha256sum checks it', async () => {
  const unpacked = await mkdtemp(join(folder, 'unpacked-'));
  const command = `tar -xf '${file}' && sha256sum -c --quiet checksums/*`;
  await promisify(execFile)('sh', ['-c', command], { cwd: unpacked });
});

test('a file that is there is not overwritten, and only its owner can read a backup', async () => {
  const refused = await operate(server, 'backup', file);
  assert.equal(refused.code, 1);
  assert.match(refused.complaint, /first\.tar exists: name another file/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const nameless = await operate(server, 'backup');
  assert.match(
    nameless.complaint,
    /^Name a file, such as backup colophon\.tar, or set BACKUP_TO\./,
  );
  assert.match((await operate(server, 'verify', 'no.tar')).complaint, /There is no file/);
  for (const command of ['verify', 'backup'])
    assert.match(
      (await operate(server, command, '/dev')).complaint,
      /^\/dev is not a file: name /m,
    );
});
