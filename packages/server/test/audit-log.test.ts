// The audit log grows and is not changed: by privilege, and by a chain that shows what was changed all the same.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { readConfig } from '#config';
import { inspectDataDir, sql } from '#database';
import type { Database, Tx } from '#database';
import { appendAudit, followAudit, verifyAudit } from '#moderation';
import { openLog, openServices } from '#services';
import { auditHash, auditOrigin } from '../src/areas/moderation/service/audit.ts';
import { deskPerson, sendShown } from './desk.ts';
import { encodePairs, filledIn, formsIn } from './forms/shown-forms.ts';
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
      return { whole: await verifyAudit(tx), ...(await inPieces(tx)) };
    },
    { rollback: true },
  );
  assert.ok(!('reason' in found.whole));
  assert.ok(found.whole.number > 2000);
  // The pieces together follow every row, and a piece that does not go on from the one before is found out.
  assert.deepEqual(found.numbers, [1000, 2000, found.whole.number]);
  assert.ok('reason' in found.forged && found.forged.number === 1001, JSON.stringify(found.forged));
});

/** Follows the log in pieces of one page; `forged` goes on from a hash that row 1,000 does not have. */
async function inPieces(tx: Tx) {
  const numbers: number[] = [];
  let piece = await followAudit(tx, { reads: 1 });
  while (!('reason' in piece)) {
    if (numbers.at(-1) !== piece.link.number) numbers.push(piece.link.number);
    if (piece.isWhole) break;
    piece = await followAudit(tx, { after: piece.link, reads: 1 });
  }
  const after = { number: 1000, hash: '0'.repeat(64) };
  return { numbers, forged: await followAudit(tx, { after, reads: 1 }) };
}

/** Rows that follow each other from the first one on, in a log that is empty. */
async function plant(db: Database, count: number): Promise<void> {
  let previous = auditOrigin.hash;
  const rows = Array.from({ length: count }, (_, index) => {
    const entry = { ...entryOf(index), created_at: '2026-11-03T12:00:00.000Z' };
    const row = { ...entry, number: index + 1, previous_hash: previous };
    previous = auditHash(entry, row.number, previous);
    return { bucket: 0, ...row, hash: previous };
  });
  await db.transaction(async (tx) => {
    await tx.run(sql`
      insert into audit_log
      select * from json_populate_recordset(null::audit_log, ${JSON.stringify(rows)}::json)`);
    await tx.run(sql`
      update audit_heads set number = ${count}, hash = ${previous} where bucket = 0`);
  });
}

test('the desk checks a long log in pieces, and says how far it has come', async () => {
  await using other = await startServer({ ROLE: 'web' });
  await plant(other.db, 20_500);
  const admin = await deskPerson(other, ['admin:moderate', 'admin:manage']);
  const path = '/moderation/audit';
  const first = await sendShown(admin, path, 'check');
  assert.equal(first.status, 200);
  assert.match(first.text, /Rows 1 to 20,000 of 20,500 are as they were written/);
  const form = formsIn(first.text).find(({ attributes }) => 'data-goes-on' in attributes);
  assert.ok(form);
  const fields = encodePairs(filledIn(form));
  const asScript = await admin.browser.sendForm(form.action, fields, {
    accept: 'application/json',
  });
  assert.equal(JSON.parse(asScript.text).location, `${path}?done=whole#done`);
  const again = await admin.browser.sendForm(form.action, 'key=0123456789abcdef', {
    accept: 'application/json',
  });
  assert.equal(again.status, 200);
  const { location, page } = JSON.parse(again.text);
  assert.equal(location, `${path}#check`);
  assert.match(page, /data-goes-on/);
  await other.db.transaction((tx) =>
    tx.run(sql`update audit_log set action = 'x' where bucket = 0 and number = 20300`),
  );
  const broken = await admin.browser.sendForm(form.action, fields);
  assert.equal(broken.status, 409);
  assert.match(broken.text, /broken at row 20300/);
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

test('an owner of the table that is not a superuser has taken these rights from itself', async () => {
  const row = await server.db.first(sql<{ acl: string }>`
    select array_to_string(relacl, ' ') as acl
    from pg_class
    where oid = 'audit_log'::regclass`);
  const [, owner = ''] = /colophon=(\w*)\/colophon/.exec(row?.acl ?? '') ?? [];
  assert.match(owner, /a/, 'it may insert');
  assert.match(owner, /r/, 'it may read');
  assert.doesNotMatch(owner, /[wdD]/, 'it may not update, delete or truncate');
});
