// Moderators against each other, against authors, and against those who take their power away.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ordinaryScopes } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { storeToken } from './accounts.ts';
import { createAgent } from './agents.ts';
import { toldTo } from './comments.ts';
import { assertProblem, startServer } from './harness.ts';
import type { Human, Response } from './harness.ts';
import { heldBack } from './held-back.ts';
import { act, askAct, aModerator } from './moderators.ts';
import type { Wish } from './moderators.ts';
import { assertMissingScope } from './problem-checks.ts';
import { until } from './throw-away-database.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

async function anArticle(): Promise<Wish & { readonly author: Human }> {
  const author = await server.register();
  const { id } = await server.published(author);
  return { author, target_type: 'article', target_id: id, action: 'hide' };
}

const plain = ({ target_type, target_id, action }: Wish): Wish => ({
  target_type,
  target_id,
  action,
});
const lockOf = (id: string) =>
  sql`select id from articles where bucket = ${bucketOf(id)} and id = ${id} for update`;

async function actionsOn(id: string): Promise<readonly string[]> {
  const rows = await server.db.rows(sql<{ action: string }>`
    select action
    from moderation_actions
    where bucket = ${bucketOf(id)} and target_id = ${id}
    order by id`);
  return rows.map(({ action }) => action);
}

async function statusOf(id: string): Promise<string | undefined> {
  const row = await server.db.first(sql<{ status: string }>`
    select status from articles where bucket = ${bucketOf(id)} and id = ${id}`);
  return row?.status;
}

async function waiting(count: number): Promise<void> {
  await until(`${count} wait for a lock`, async () => {
    const rows = await server.db.rows(sql`
      select pid
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return rows.length >= count;
  });
}

/** A token of its own, so that it can be taken away. */
async function aPower(): Promise<{ readonly token: string; readonly id: string }> {
  const scopes = [...ordinaryScopes, 'admin:moderate'] as const;
  const token = await storeToken(server, moderator.id, scopes);
  const me = await server.ask('GET', '/v1/me', { token });
  return { token, id: me.body.token.id };
}

test('401 unauthenticated where the token was revoked in the middle of the action', async () => {
  const wish = await anArticle();
  const power = await aPower();
  const [answer] = await heldBack(
    server,
    lockOf(wish.target_id),
    [() => askAct(server, power, plain(wish))],
    async () => {
      const { status } = await server.ask('DELETE', `/v1/tokens/${power.id}`, {
        token: power.token,
      });
      assert.equal(status, 204);
    },
  );
  assertProblem(answer as Response, 'unauthenticated');
  assert.deepEqual(await actionsOn(wish.target_id), []);
  assert.equal(await statusOf(wish.target_id), 'published');
});

test('403 insufficient-scope where the token lost the scope in the middle of the action', async () => {
  const wish = await anArticle();
  const power = await aPower();
  const [answer] = await heldBack(
    server,
    lockOf(wish.target_id),
    [() => askAct(server, power, plain(wish))],
    async () => {
      await server.db.transaction((tx) =>
        tx.run(sql`
          update tokens
          set scopes = array_remove(scopes, 'admin:moderate')
          where bucket = ${bucketOf(power.id)} and id = ${power.id}`),
      );
    },
  );
  assertMissingScope(answer as Response, 'admin:moderate');
  assert.deepEqual(await actionsOn(wish.target_id), []);
});

test('201 where the token was revoked after the action had looked at it: the revocation waits', async () => {
  const wish = await anArticle();
  const power = await aPower();
  let revoked: Promise<Response> | undefined;
  const end = sql`select number from audit_heads where bucket = 0 for update`;
  const [answer] = await heldBack(
    server,
    end,
    [() => askAct(server, power, plain(wish))],
    async () => {
      revoked = server.ask('DELETE', `/v1/tokens/${power.id}`, { token: moderator.token });
      await waiting(2);
    },
  );
  assert.equal(answer?.status, 201, JSON.stringify(answer?.body));
  assert.equal((await revoked)?.status, 204);
});

for (const [what, action, method, path, ends] of [
  ['hidden while its author erases it', 'hide', 'POST', '/erase', 'erased'],
  ['removed while its author erases it', 'remove', 'POST', '/erase', 'erased'],
  ['hidden while its author deletes it', 'hide', 'DELETE', '', 'removed'],
  ['de-indexed while its author deletes it', 'de-index', 'DELETE', '', 'removed'],
] as const) {
  for (const first of ['moderator', 'author'] as const) {
    test(`an article is ${what}, the ${first} first: one order or the other`, async () => {
      const wish = await anArticle();
      const { author, target_id: id } = wish;
      const acting = () => askAct(server, moderator, { ...plain(wish), action });
      const leaving = () =>
        server.ask(method, `/v1/articles/${id}${path}`, {
          token: author.token,
          ...(method === 'POST' ? { body: { confirm: 'erase' } } : {}),
        });
      let second: Promise<Response> | undefined;
      const [answer] = await heldBack(
        server,
        lockOf(id),
        [first === 'moderator' ? acting : leaving],
        async () => {
          second = (first === 'moderator' ? leaving : acting)();
          await waiting(2);
        },
      );
      const [acted, left] = first === 'moderator' ? [answer, await second] : [await second, answer];
      assert.ok((left?.status ?? 500) < 300, JSON.stringify(left?.body));
      assert.equal(await statusOf(id), ends);
      if (acted?.status === 201) return assert.deepEqual(await actionsOn(id), [action]);
      assertProblem(acted as Response, 'conflict');
      assert.deepEqual(await actionsOn(id), []);
    });
  }
}

test('an article is restored while its author erases it: it stays erased', async () => {
  const wish = await anArticle();
  const { author, target_id: id } = wish;
  await act(server, moderator, { ...plain(wish), action: 'remove' });
  const [restored, erased] = await heldBack(server, lockOf(id), [
    () => askAct(server, moderator, { ...plain(wish), action: 'restore' }),
    () =>
      server.ask('POST', `/v1/articles/${id}/erase`, {
        token: author.token,
        body: { confirm: 'erase' },
      }),
  ]);
  assert.ok([201, 409].includes(restored?.status ?? 0));
  assert.equal(erased?.status, 200);
  assert.equal(await statusOf(id), 'erased');
});

test('eight moderators with the same action: one 201, seven 409, one row, one notice', async () => {
  const wish = await anArticle();
  const moderators = await Promise.all(Array.from({ length: 8 }, () => aModerator(server)));
  const answers = await heldBack(
    server,
    lockOf(wish.target_id),
    moderators.map((one) => () => askAct(server, one, plain(wish))),
  );
  const done = answers.filter(({ status }) => status === 201);
  assert.equal(done.length, 1);
  for (const answer of answers) if (answer !== done[0]) assertProblem(answer, 'conflict');
  assert.deepEqual(await actionsOn(wish.target_id), ['hide']);
  assert.equal((await toldTo(server, wish.author.id)).length, 1);
});

test('the same key at once: one effect, and nobody waits for the key', async () => {
  const wish = await anArticle();
  const key = crypto.randomUUID();
  const send = () => askAct(server, moderator, plain(wish), { key });
  let others: readonly Response[] = [];
  const [answer] = await heldBack(server, lockOf(wish.target_id), [send], async () => {
    others = await Promise.all([send(), send()]);
  });
  assert.equal(answer?.status, 201);
  for (const other of others) assertProblem(other, 'idempotency-in-progress');
  assert.deepEqual((await send()).body, answer?.body);
  assert.deepEqual(await actionsOn(wish.target_id), ['hide']);
});

test('forty actions at once on one author’s works: all are done, and the audit log has no gap', async () => {
  const author = await server.register();
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () => (await server.published(author)).id as string),
  );
  const rounds = ids.flatMap((id) =>
    (['warn', 'de-index', 'hide', 'warn'] as const).map((action) => ({
      target_type: 'article' as const,
      target_id: id,
      action,
    })),
  );
  const answers = await Promise.all(rounds.map((wish) => askAct(server, moderator, wish)));
  for (const { status, body } of answers) assert.equal(status, 201, JSON.stringify(body));
  assert.equal((await toldTo(server, author.id)).length, 40);
  const row = await server.db.first(sql<{ rows: number; last: number }>`
    select count(*)::integer as rows, max(number)::integer as last from audit_log where bucket = 0`);
  assert.equal(row?.rows, row?.last);
});

test('201 for a suspension once nothing is being written any more; what comes meanwhile is refused', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const { id } = await server.draft(agent);
  const publish = () =>
    server.ask('POST', `/v1/articles/${id}/publish`, { token: agent.token, key: true, body: {} });
  let suspended: Promise<Response> | undefined;
  let ended = false;
  const [published] = await heldBack(server, lockOf(id), [publish], async () => {
    const wish = { target_type: 'principal', target_id: owner.id, action: 'suspend' } as const;
    suspended = askAct(server, moderator, wish).finally(() => {
      ended = true;
    });
    await waiting(2);
    for (const who of [owner, agent]) {
      const body = { title: 'Too late', content: 'Text.' };
      const refused = await server.ask('POST', '/v1/articles', {
        token: who.token,
        key: true,
        body,
      });
      assertProblem(refused, 'forbidden');
    }
    assert.equal(ended, false);
  });
  assert.equal(published?.status, 200, JSON.stringify(published?.body));
  assert.equal((await suspended)?.status, 201);
});
