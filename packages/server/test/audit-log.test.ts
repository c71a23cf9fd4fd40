// The audit log grows and is not changed: by privilege, and by a chain that shows what was changed all the same.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { readConfig } from '#config';
import { inspectDataDir, sql } from '#database';
import type { Database } from '#database';
import { appendAudit, verifyAudit } from '#moderation';
import { openLog, openServices } from '#services';
import { startServer } from './harness.ts';
import { operate } from './operator.ts';
import { copyPreparedFolder } from './prepared-folder.ts';

const verify = (...args: string[]) => operate(server, 'verify-audit', ...args);

function entryOf(index: number) {
  return {
    actor: 'operator',
    action: 'trust',
    target_type: 'principal',
    target_id: String(index),
    details: { to: 1 },
    created_at: new Date().toISOString(),
  };
}

/** So many acts at once. */
async function append(db: Database, count: number): Promise<void> {
  const acts = Array.from({ length: count }, (_, index) =>
    db.transaction((tx) => appendAudit(tx, entryOf(index))),
  );
  await Promise.all(acts);
}

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

test('verify-audit finds a log whole, prints its end, and checks the next run against it', async () => {
  assert.equal((await verify()).code, 0, 'an empty log is whole');
  await append(server.db, 30);
  const { out, code } = await verify();
  assert.equal(code, 0, out);
  assert.match(out, /whole: 30 rows/);
  const noted = /30:[0-9a-f]{64}/.exec(out)?.[0] ?? '';
  await append(server.db, 5);
  assert.equal((await verify(noted)).code, 0);
  const other = await verify(`30:${'0'.repeat(64)}`);
  assert.equal(other.code, 1);
  assert.match(other.out, /BROKEN at 30\. .*recorded/);
  assert.equal((await verify(`36:${'0'.repeat(64)}`)).code, 1, 'longer than it is');
});

/** By number of the first row that is wrong, in a log of 12 rows. */
const edits = [
  ['a word', 7, sql`update audit_log set action = 'x' where bucket = 0 and number = 7`],
  ['a detail', 7, sql`update audit_log set details = '{"to":3}' where bucket = 0 and number = 7`],
  [
    'a time',
    7,
    sql`
      update audit_log
      set created_at = created_at + interval '1 ms'
      where bucket = 0 and number = 7`,
  ],
  ['a hash', 7, sql`update audit_log set hash = 'a' where bucket = 0 and number = 7`],
  ['a link', 7, sql`update audit_log set previous_hash = 'a' where bucket = 0 and number = 7`],
  ['the first row', 1, sql`delete from audit_log where bucket = 0 and number = 1`],
  ['a row in the middle', 7, sql`delete from audit_log where bucket = 0 and number = 7`],
  ['the last rows', 9, sql`delete from audit_log where bucket = 0 and number > 8`],
  ['all rows', 1, sql`delete from audit_log where bucket = 0`],
  ['what tells the end', 13, sql`delete from audit_heads where bucket = 0`],
] as const;

test('a superuser changes or takes away rows: the chain says where', async (t) => {
  await using other = await startServer();
  await append(other.db, 12);
  for (const [what, number, statement] of edits) {
    await t.test(what, async () => {
      const found = await other.db.transaction(
        async (tx) => {
          await tx.run(statement);
          return verifyAudit(tx);
        },
        { rollback: true },
      );
      assert.ok('reason' in found, JSON.stringify(found));
      assert.equal(found.number, number, found.reason);
    });
  }
  assert.ok(!('reason' in (await verifyAudit(other.db))), 'it was whole, and is again');
});

test('a log of some thousand rows is followed in pages', async () => {
  const found = await server.db.transaction(
    async (tx) => {
      for (let count = 0; count < 2001; count += 1) await appendAudit(tx, entryOf(count));
      return verifyAudit(tx);
    },
    { rollback: true },
  );
  assert.ok(!('reason' in found));
  assert.ok(found.number > 2000);
});

test('verify-audit exits 1 and names the row that was edited', async () => {
  const client = new pg.Client(server.services.connection);
  await client.connect();
  await client.query(`update audit_log set actor = 'somebody' where number = 2`);
  await client.end();
  const { out, code } = await verify();
  assert.equal(code, 1);
  assert.match(out, /^BROKEN at 2\. Row 2 was altered/);
});

const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
after(() => rm(folder, { recursive: true, force: true }));

test('the service works as a role that may insert and read, and not update, delete or truncate', async () => {
  const config = readConfig({ DATA_DIR: join(folder, 'data'), LIMITS: 'off' });
  await copyPreparedFolder(config.dataDir);
  await using services = await openServices(config, openLog('silent'));
  const { db } = services;
  await append(db, 3);
  assert.ok(!('reason' in (await verifyAudit(db))));
  const role = await db.first(sql<{ name: string; super: boolean }>`
    select session_user::text as name, rolsuper as super
    from pg_roles
    where rolname = session_user`);
  assert.deepEqual(role, { name: 'colophon_service', super: false });
  const refused = [
    sql`update audit_log set actor = 'x' where bucket = 0`,
    sql`delete from audit_log where bucket = 0`,
    sql`truncate audit_log`,
    sql`drop table audit_log`,
    sql`alter table audit_log add column extra text`,
    sql`set role colophon`,
    sql`alter role colophon_service superuser`,
  ];
  // Of what it may not pass on it grants nothing, with a warning.
  await db.transaction((tx) => tx.run(sql`grant update on audit_log to colophon_service`));
  for (const statement of refused)
    await assert.rejects(
      db.transaction((tx) => tx.run(statement)),
      /permission denied|must be owner|denied/,
      statement.text,
    );
  const { connection } = await inspectDataDir(config.dataDir);
  assert.equal(connection?.user, 'colophon', 'the operator’s commands come as the owner');
});

test('an owner of the table that is no superuser has taken these rights from itself', async () => {
  const row = await server.db.first(sql<{ acl: string }>`
    select array_to_string(relacl, ' ') as acl
    from pg_class
    where oid = 'audit_log'::regclass`);
  const [, owner = ''] = /colophon=(\w*)\/colophon/.exec(row?.acl ?? '') ?? [];
  assert.match(owner, /a/, 'it may insert');
  assert.match(owner, /r/, 'it may read');
  assert.doesNotMatch(owner, /[wdD]/, 'it may not update, delete or truncate');
});
