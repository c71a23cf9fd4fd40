// An action is whole or it is not there: whichever of its rows cannot be written, nothing of it is.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { eventsOf } from './comments.ts';
import { startServer } from './harness.ts';
import { actsOn, anArticle, askAct, aModerator } from './moderators.ts';
import { changesOf, read, report } from './reports.ts';

const server = await startServer({ ROLE: 'web' });
const moderator = await aModerator(server);
const owner = new pg.Client(server.services.connection);
await owner.connect();
after(async () => {
  await owner.end();
  await server[Symbol.asyncDispose]();
});
// Not allowed on a distributed database without it; any other ignores it.
await owner.query('set citus.enable_unsafe_triggers to on');
await owner.query(`
  create function refuse() returns trigger language plpgsql
  as $$ begin raise exception 'the disk is full' using errcode = '53100'; end $$`);

async function whileRefused(table: string, when: string, work: () => Promise<void>): Promise<void> {
  await owner.query(
    `create trigger refused before ${when} on ${table} for each row execute function refuse()`,
  );
  try {
    await work();
  } finally {
    await owner.query(`drop trigger refused on ${table}`);
  }
}

for (const [table, when] of [
  ['articles', 'update'],
  ['moderation_actions', 'insert'],
  ['report_changes', 'insert'],
  ['reports', 'update'],
  ['audit_log', 'insert'],
  ['audit_heads', 'update'],
  ['events', 'insert'],
  ['outbox', 'insert'],
  ['idempotency_keys', 'insert or update'],
] as const) {
  test(`no ${when} of ${table}: nothing happened, and the same key does it all later`, async () => {
    const { author, input } = await anArticle(server);
    const id = input.target_id;
    const reporter = await server.register();
    const report_id = await report(server, { target_id: id }, { token: reporter.token });
    const key = crypto.randomUUID();
    const state = async () => {
      const row = await server.db.first(sql<{ status: string; actions: number }>`
        select a.status, (
          select count(*)::integer from moderation_actions m
          where m.bucket = a.bucket and m.target_id = a.id
        ) as actions
        from articles a
        where a.bucket = ${bucketOf(id)} and a.id = ${id}`);
      return {
        article: row?.status,
        actions: row?.actions,
        report: (await read(server, moderator, report_id)).body.status,
        changes: (await changesOf(server, report_id)).length,
        acts: (await actsOn(server, id)).length,
        told: [
          (await eventsOf(server, author.id)).length,
          (await eventsOf(server, reporter.id)).length,
        ],
      };
    };
    const ask = () => askAct(server, moderator, { ...input, report_id }, { key });
    const before = await state();
    await whileRefused(table, when, async () => {
      const { status } = await ask();
      assert.ok(status >= 500, `${status}`);
    });
    assert.deepEqual(await state(), before);
    assert.equal((await ask()).status, 201);
    assert.deepEqual(await state(), {
      article: 'hidden',
      actions: 1,
      report: 'actioned',
      changes: before.changes + 1,
      acts: 1,
      told: [1, 1],
    });
  });
}
