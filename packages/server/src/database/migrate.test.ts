// Tests of migrations and the schema dump on a real PostgreSQL.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { quiet, throwAwayDatabase } from '#test/throw-away-database';
import type { ThrowAway } from '#test/throw-away-database';
import { migrate, pendingMigrations } from './migrate.ts';
import { dumpSchema, schemaPath } from './schema-dump.ts';

let server: ThrowAway;
let folder = '';

before(async () => {
  server = await throwAwayDatabase();
  folder = await mkdtemp(join(tmpdir(), 'colophon-migrations-'));
  await cp(join(import.meta.dirname, 'migrations'), folder, { recursive: true });
});

after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function withFiles(files: Record<string, string>): Promise<string> {
  const own = await mkdtemp(join(folder, 'own-'));
  await cp(join(import.meta.dirname, 'migrations'), own, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(own, name), text);
  return own;
}

test('five servers that start at once migrate once; the others wait and find nothing to do', async () => {
  await using empty = await server.clone(false);
  const told: string[] = [];
  const log = { ...quiet, info: (_: object, text: string) => void told.push(text) };
  assert.equal((await pendingMigrations(empty.connection))[0], '0001_foundation');
  const applied = await Promise.all(
    Array.from({ length: 5 }, () => migrate(empty.connection, log)),
  );
  assert.deepEqual(applied.map((names) => names.length > 0).filter(Boolean), [true]);
  assert.ok(told.some((text) => text.startsWith('Another server looks for migrations')));
  assert.deepEqual(await pendingMigrations(empty.connection), []);
  const [jobs] = await empty.ask<{ made: boolean }>(
    "select to_regclass('graphile_worker.jobs') is not null as made",
  );
  assert.equal(jobs?.made, true);
});

test('a role that may create no tables in a new database is refused in one sentence, with what to do', async () => {
  await using empty = await server.clone(false);
  const name = empty.connection.database ?? '';
  await empty.ask('create role "Weak"');
  await empty.ask(`alter database ${name} set role to 'Weak'`);
  await assert.rejects(migrate(empty.connection, quiet), {
    message:
      `The role "Weak" of DATABASE_URL may not create tables in the database ${name}: make it the owner ` +
      `("alter database ${name} owner to "Weak""), or set DATABASE_URL to a role that owns the database.`,
  });
  await empty.ask(`alter database ${name} owner to "Weak"`);
  assert.notDeepEqual(await migrate(empty.connection, quiet), []);
});

test('a migration that fails is undone whole, those before it stay, and the next start goes on', async () => {
  await using clone = await server.clone();
  const own = await withFiles({
    '0901_first.sql': 'create table first_made (id int);',
    '0902_second.sql': 'create table second_made (id int);\nselect 1/0;',
  });
  await assert.rejects(
    migrate(clone.connection, quiet, own),
    /The migration 0902_second failed and was rolled back: division by zero/,
  );
  const tables = await clone.ask<{ relname: string }>(
    "select relname from pg_class where relname like '%_made'",
  );
  assert.deepEqual(tables, [{ relname: 'first_made' }]);
  await writeFile(
    join(own, '0902_second.sql'),
    '-- Up migration markers mean nothing here\ncreate table second_made (id int)',
  );
  assert.deepEqual(await migrate(clone.connection, quiet, own), ['0902_second']);
});

test('text before a comment that looks like a marker of the runner is applied too', async () => {
  await using clone = await server.clone();
  const own = await withFiles({
    '0901_marked.sql':
      'create table a_made (id int);\n-- up migration\ncreate table b_made (id int);\n',
  });
  assert.deepEqual(await migrate(clone.connection, quiet, own), ['0901_marked']);
  const tables = await clone.ask("select relname from pg_class where relname like '%_made'");
  assert.equal(tables.length, 2);
});

test('a database that is newer than the code is refused in one sentence', async () => {
  await using clone = await server.clone();
  const own = await withFiles({ '0901_future.sql': 'create table future (id int);' });
  await migrate(clone.connection, quiet, own);
  await assert.rejects(
    migrate(clone.connection, quiet),
    /^Error: The database is newer than this version of Colophon \(it contains the migration 0901_future\): start/,
  );
  await assert.rejects(pendingMigrations(clone.connection), /newer than this version/);
});

test('a file whose name has another form is refused by name', async () => {
  const own = await withFiles({ '2_two.sql': 'select 1;' });
  await assert.rejects(
    pendingMigrations(server.connection, own),
    /Rename the migration 2_two\.sql/,
  );
});

test('the committed schema.sql is the dump of a migrated database', async () => {
  await using clone = await server.clone();
  assert.equal(await readFile(schemaPath, 'utf8'), await dumpSchema(clone.connection));
});

test('the dump is complete: run on an empty database it makes a schema with the same dump', async () => {
  await using migrated = await server.clone();
  await using made = await server.clone(false);
  const dump = await dumpSchema(migrated.connection);
  await made.ask(dump);
  assert.equal(await dumpSchema(made.connection), dump);
  assert.match(dump, /generated always as .*'published'.* stored/s);
  assert.match(dump, /id text collate "C" not null/);
});

test('what the dump does not know is refused by name', async () => {
  await using clone = await server.clone();
  await clone.ask('create function forgotten() returns int language sql return 1');
  await clone.ask("create type mood as enum ('sad')");
  await clone.ask('create view seen as select 1 as one');
  await assert.rejects(
    dumpSchema(clone.connection),
    /function forgotten, seen of kind v, type mood/,
  );
});
