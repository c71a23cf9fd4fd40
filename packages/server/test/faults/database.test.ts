// A database that cuts connections, holds locks and changes its tables: nothing is lost, doubled or left hanging.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { effort } from '../effort.ts';
import { assertProblem, freshKey } from '../harness.ts';
import type { Human, Response, TestServer } from '../harness.ts';
import { checkIdle, connect, createScenario } from './scenario.ts';
import type { Scenario } from './scenario.ts';

const writes = effort(50, 200);
const atOnce = 10;

let scenario: Scenario;
let server: TestServer;
let human: Human;
let admin: pg.Client;
/** Answers to keyed writes, and after how many of them connections are cut. */
const paced = { answers: 0, each: Infinity, cuts: 0 };

before(async () => {
  scenario = await createScenario();
  ({ server, human, admin } = scenario);
});

after(() => scenario[Symbol.asyncDispose]());

/** Sends with one key until there is a final answer. */
async function persist(path: string, body: object): Promise<Response> {
  const key = freshKey();
  for (let sends = 0; sends < 200; sends += 1) {
    const response = await server.ask('POST', path, { token: human.token, key, body });
    paced.answers += 1;
    if (paced.answers % paced.each === 0) await cutConnections();
    if (response.status !== 503 && response.status !== 409) return response;
    await wait(10);
  }
  throw new Error(`${path} had no final answer after 200 sends.`);
}

/**
 * Cuts two connections of the server, while the other lanes write. Called after every few answers, not by time: on a slow
 * machine, cuts by the clock end every connection before its first write does, and on a fast one the writes are over
 * before there were many cuts.
 */
async function cutConnections(): Promise<void> {
  const { rowCount } = await admin.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name = 'colophon'
    order by random() limit 2`);
  paced.cuts += rowCount ?? 0;
}

// The tests of locks have databases of their own, and wait for the time-outs beside the others.
describe('a database', { concurrency: 3 }, () => {
  test(
    '503 unavailable within seconds while another session holds a lock, and 201 with the same key after it',
    { timeout: 900_000 },
    async () => {
      await using own = await createScenario(1);
      const { server, human } = own;
      const draft = await server.draft(human);
      const holder = await connect(server);
      await holder.query('begin');
      await holder.query('select from articles where id = $1 for update', [draft.id]);
      const key = freshKey();
      const revise = () =>
        server.ask('POST', `/v1/articles/${draft.id}/revisions`, {
          token: human.token,
          key,
          body: { content: 'Other.', expected_revision_id: draft.revision_id },
        });
      const startedAt = performance.now();
      const waiting = revise();
      const beside = await server.ask('GET', `/v1/articles/${draft.id}`, { token: human.token });
      assert.equal(beside.status, 200, 'readers do not wait for a writer');
      const response = await waiting;
      assertProblem(response, 'unavailable');
      assert.equal(response.headers.get('retry-after'), '1');
      assert.ok(performance.now() - startedAt < 60_000, 'the lock time-out of 5 s ends the wait');
      await holder.query('rollback');
      await holder.end();
      const again = await revise();
      assert.equal(again.status, 201, JSON.stringify(again.body));
      await checkIdle(own);
    },
  );

  test(
    '503 unavailable for reads within seconds while a table is locked away',
    { timeout: 900_000 },
    async () => {
      await using own = await createScenario(1);
      const { server, human } = own;
      const draft = await server.draft(human);
      const holder = await connect(server);
      await holder.query('begin');
      await holder.query('lock table contents in access exclusive mode');
      const startedAt = performance.now();
      const responses = await Promise.all([
        server.ask('GET', `/v1/articles/${draft.id}`, { token: human.token }),
        server.ask('POST', `/v1/articles/${draft.id}/publish`, {
          token: human.token,
          key: true,
          body: {},
        }),
      ]);
      for (const response of responses) assertProblem(response, 'unavailable');
      assert.ok(performance.now() - startedAt < 60_000, 'the time-outs of 5 s end the wait');
      await holder.query('rollback');
      await holder.end();
      assert.equal(
        (await server.ask('GET', `/v1/articles/${draft.id}`, { token: human.token })).status,
        200,
      );
      await checkIdle(own);
    },
  );

  describe('under writes and changes', { concurrency: 1 }, () => {
    test(
      `201 for each of ${writes} keyed writes, once, while connections are cut`,
      { timeout: 900_000 },
      async (t) => {
        paced.each = 4;
        const lanes = Array.from({ length: atOnce }, async (_, lane) => {
          for (let index = lane; index < writes; index += atOnce) {
            const made = await persist('/v1/articles', {
              title: `cut ${index}`,
              content: `Text ${index}.`,
            });
            assert.equal(made.status, 201, JSON.stringify(made.body));
            assert.equal((await persist(`/v1/articles/${made.body.id}/publish`, {})).status, 200);
          }
        });
        const results = await Promise.allSettled(lanes);
        paced.each = Infinity;
        for (const result of results) if (result.status === 'rejected') throw result.reason;
        const { rows } = await admin.query(`
        select count(*)::integer as articles, count(distinct c.title)::integer as titles,
          count(a.published_revision_id)::integer as published
        from articles a
        join revisions r on r.bucket = a.bucket and r.article_id = a.id
        join contents c on c.bucket = r.bucket and c.hash = r.content_hash
        where c.title like 'cut %'`);
        assert.deepEqual(rows[0], { articles: writes, titles: writes, published: writes });
        assert.ok(paced.cuts >= 20, `only ${paced.cuts} connections were cut`);
        await checkIdle(scenario);
        t.diagnostic(`${paced.cuts} connections cut under ${writes * 2} writes`);
      },
    );

    test(
      '201 for one of ten revisions on the same one, 412 for nine',
      { timeout: 900_000 },
      async () => {
        const draft = await server.draft(human);
        const responses = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            server.ask('POST', `/v1/articles/${draft.id}/revisions`, {
              token: human.token,
              key: true,
              body: { content: `Take ${index}.`, expected_revision_id: draft.revision_id },
            }),
          ),
        );
        const made = responses.filter(({ status }) => status === 201);
        assert.equal(made.length, 1);
        for (const response of responses) {
          if (response.status === 201) continue;
          assertProblem(response, 'precondition-failed');
          assert.equal(response.body.current_revision_id, made[0]?.body.revision_id);
        }
      },
    );

    test(
      '201 for one of ten requests with one key, the others are its replay or told to wait',
      { timeout: 900_000 },
      async () => {
        const key = freshKey();
        const body = { title: 'Ten at once', content: 'One effect.' };
        const responses = await Promise.all(
          Array.from({ length: 10 }, () =>
            server.ask('POST', '/v1/articles', { token: human.token, key, body }),
          ),
        );
        const ids = new Set(
          responses
            .filter(({ status }) => status === 201)
            .map((response) => response.body.id as string),
        );
        assert.equal(ids.size, 1);
        assert.equal(
          responses.filter(
            ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'),
          ).length,
          1,
        );
        for (const response of responses)
          if (response.status !== 201) assertProblem(response, 'idempotency-in-progress');
        const { rows } = await admin.query(
          `select count(*)::integer as count from contents c
        join revisions r on r.bucket = c.bucket and r.content_hash = c.hash where c.title = $1`,
          [body.title],
        );
        assert.deepEqual(rows, [{ count: 1 }]);
      },
    );

    test(
      '200 for reads and writes before and after the tables change under their prepared statements',
      { timeout: 900_000 },
      async () => {
        const article = await server.published(human);
        const path = `/v1/articles/${article.id}`;
        const use = async (step: string) => {
          for (let turn = 0; turn < 6; turn += 1) {
            const read = await server.ask('GET', path);
            assert.equal(read.status, 200, `${step}: ${JSON.stringify(read.body)}`);
          }
          const patched = await server.ask('PATCH', path, {
            token: human.token,
            body: { language: 'de' },
          });
          assert.equal(patched.status, 200, `${step}: ${JSON.stringify(patched.body)}`);
        };
        await use('before');
        for (const change of [
          'alter table articles add column extra text',
          'alter table articles alter column language type varchar(40)',
          'create index extra_idx on articles (extra)',
          'alter table articles drop column extra',
          'alter table contents alter column title type varchar(4000)',
        ]) {
          await admin.query(change);
          await use(change);
        }
        await checkIdle(scenario);
      },
    );

    test(
      'clients that leave in the middle of a write leave no transaction behind',
      { timeout: 900_000 },
      async () => {
        const gone = Array.from({ length: 60 }, async (_, index) => {
          const leave = new AbortController();
          const body = JSON.stringify({ title: `gone ${index}`, content: 'x'.repeat(5_000) });
          const headers = {
            authorization: `Bearer ${human.token}`,
            'content-type': 'application/json',
            'idempotency-key': freshKey(),
          };
          const asked = fetch(`${server.baseUrl}/v1/articles`, {
            method: 'POST',
            headers,
            body,
            signal: leave.signal,
          });
          setTimeout(() => leave.abort(), index % 20);
          const response = await asked.catch(() => undefined);
          await response?.arrayBuffer().catch(() => undefined);
        });
        await Promise.all(gone);
        await checkIdle(scenario);
      },
    );
  });
});
