// Moderators against each other, against authors, and against those who take their power away.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ordinaryScopes } from '@colophon/contract';
import type { TargetType } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { storeToken } from './accounts.ts';
import { createAgent } from './agents.ts';
import { comment, eventsOf } from './comments.ts';
import { assertProblem, startServer } from './harness.ts';
import type { Human, Response } from './harness.ts';
import { blockedByLock, inTurn, untilWaiting } from './blocked-by-lock.ts';
import { pngOf, upload } from './media-files.ts';
import { act, anArticle, askAct, aModerator } from './moderators.ts';
import { assertMissingScope } from './problem-checks.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

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

/** A token of its own, so that it can be taken away. */
async function aPower(): Promise<{ readonly token: string; readonly id: string }> {
  const scopes = [...ordinaryScopes, 'admin:moderate'] as const;
  const token = await storeToken(server, moderator.id, scopes);
  const me = await server.ask('GET', '/v1/me', { token });
  return { token, id: me.body.token.id };
}

test('204 for the revocation of a token in the middle of its action only after the action, which stands', async () => {
  const { input } = await anArticle(server);
  const power = await aPower();
  const [acted, revoked] = await inTurn(server, lockOf(input.target_id), [
    () => askAct(server, power, input),
    () => server.ask('DELETE', `/v1/tokens/${power.id}`, { token: power.token }),
  ]);
  assert.equal(acted?.status, 201);
  assert.equal(revoked?.status, 204);
  assert.deepEqual(await actionsOn(input.target_id), [input.action]);
  assertProblem(await askAct(server, power, input), 'unauthenticated');
});

test('403 insufficient-scope where the token lost the scope in the middle of the action', async () => {
  const { input } = await anArticle(server);
  const power = await aPower();
  const [answer] = await blockedByLock(
    server,
    lockOf(input.target_id),
    [() => askAct(server, power, input)],
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
  assert.deepEqual(await actionsOn(input.target_id), []);
});

test('201 where the token was revoked after the action had looked at it: the revocation waits', async () => {
  const { input } = await anArticle(server);
  const power = await aPower();
  let revoked: Promise<Response> | undefined;
  const end = sql`select number from audit_heads where bucket = 0 for update`;
  const [answer] = await blockedByLock(
    server,
    end,
    [() => askAct(server, power, input)],
    async () => {
      revoked = server.ask('DELETE', `/v1/tokens/${power.id}`, { token: moderator.token });
      await untilWaiting(server, 2);
    },
  );
  assert.equal(answer?.status, 201, JSON.stringify(answer?.body));
  assert.equal((await revoked)?.status, 204);
});

/** Ways in which something leaves, and the answer to it. */
const leavings = {
  erase: ['POST', '/erase', { confirm: 'erase' }, 200],
  delete: ['DELETE', '', undefined, 204],
  close: ['POST', '/close', { confirm: 'close', articles: 'erase' }, 200],
} as const;

const tables = {
  article: [sql`articles`, '/v1/articles'],
  comment: [sql`comments`, '/v1/comments'],
  media: [sql`media`, '/v1/media'],
  principal: [sql`principals`, '/v1/principals'],
} as const;

const makes: Readonly<Record<TargetType, (author: Human) => Promise<string>>> = {
  article: async (author) => (await server.published(author)).id as string,
  comment: async (author) => {
    const { input } = await anArticle(server);
    return (await comment(server, author, input.target_id)).id as string;
  },
  media: async (author) => (await upload(server, author, 'image', pngOf(1, 1))).body.id as string,
  principal: async (author) => author.id,
};

// What the author is answered after the moderator, and what is left then; and what is left the other way.
for (const [type, action, leaving, answer, then, otherwise] of [
  ['article', 'hide', 'erase', 200, 'erased', 'erased'],
  ['article', 'remove', 'erase', 200, 'erased', 'erased'],
  ['article', 'hide', 'delete', 204, 'removed', 'removed'],
  ['article', 'de-index', 'delete', 204, 'removed', 'removed'],
  ['comment', 'hide', 'delete', 204, 'hidden', 'deleted'],
  ['comment', 'remove', 'delete', 204, 'removed', 'deleted'],
  ['media', 'hide', 'delete', 204, 'removed', 'removed'],
  ['media', 'remove', 'delete', 204, 'removed', 'removed'],
  ['principal', 'suspend', 'close', 403, 'suspended', 'closed'],
] as const) {
  for (const first of ['moderator', 'author'] as const) {
    test(`${action} and ${leaving} at once, ${type}, the ${first} first: one after the other`, async () => {
      const author = await server.register();
      const id = await makes[type](author);
      const [table, place] = tables[type];
      const [method, path, body, left] = leavings[leaving];
      const act = () => askAct(server, moderator, { target_type: type, target_id: id, action });
      const leave = () =>
        server.ask(method, `${place}/${id}${path}`, {
          token: author.token,
          ...(body === undefined ? {} : { body, key: true as const }),
        });
      const locking = sql`
        select id from ${table} where bucket = ${bucketOf(id)} and id = ${id} for update`;
      const both = first === 'moderator' ? ([act, leave] as const) : ([leave, act] as const);
      const answers = (await inTurn(server, locking, both)).map((one) => one?.status);
      const row = await server.db.first(sql<{ status: string }>`
        select status from ${table} where bucket = ${bucketOf(id)} and id = ${id}`);
      if (first === 'author') {
        assert.deepEqual([answers, row?.status], [[left, 409], otherwise]);
        assert.deepEqual(await actionsOn(id), []);
      } else {
        assert.deepEqual([answers, row?.status], [[201, answer], then]);
        assert.deepEqual(await actionsOn(id), [action]);
      }
    });
  }
}

test('an article is restored while its author erases it: it stays erased', async () => {
  const { author, input } = await anArticle(server);
  const { target_id: id } = input;
  await act(server, moderator, { ...input, action: 'remove' });
  const [restored, erased] = await blockedByLock(server, lockOf(id), [
    () => askAct(server, moderator, { ...input, action: 'restore' }),
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

/** What is left of a comment or a file. */
async function leftOf(type: 'comment' | 'media', id: string): Promise<readonly unknown[]> {
  const mark = type === 'comment' ? sql`content is null` : sql`held_checksum is null`;
  const row = await server.db.first(sql<{ status: string; gone: boolean; reason: string | null }>`
    select status, ${mark} as gone, reason_code as reason
    from ${tables[type][0]}
    where bucket = ${bucketOf(id)} and id = ${id}`);
  return [row?.status, row?.gone, row?.reason];
}

for (const type of ['comment', 'media'] as const) {
  for (const action of ['hide', 'remove'] as const) {
    for (const first of ['moderator', 'author'] as const) {
      test(`${action}, then restore and delete at once, ${type}, the ${first} first: what its author deleted stays so`, async () => {
        const author = await server.register();
        const id = await makes[type](author);
        const input = { target_type: type, target_id: id } as const;
        await act(server, moderator, { ...input, action });
        const [table, place] = tables[type];
        const restore = () => askAct(server, moderator, { ...input, action: 'restore' });
        const leave = () => server.ask('DELETE', `${place}/${id}`, { token: author.token });
        const locking = sql`
          select id from ${table} where bucket = ${bucketOf(id)} and id = ${id} for update`;
        const both =
          first === 'moderator' ? ([restore, leave] as const) : ([leave, restore] as const);
        const answers = (await inTurn(server, locking, both)).map((one) => one?.status);
        assert.deepEqual(answers, first === 'moderator' ? [201, 204] : [204, 201]);
        const status = type === 'comment' ? 'deleted' : 'removed';
        assert.deepEqual(await leftOf(type, id), [status, true, null]);
        assert.deepEqual(await actionsOn(id), [action, 'restore']);
        assertProblem(await server.ask('GET', `${place}/${id}`), 'gone');
      });
    }
  }
}

test('eight moderators with the same action: one 201, seven 409, one row, one notice', async () => {
  const { author, input } = await anArticle(server);
  const moderators = await Promise.all(Array.from({ length: 8 }, () => aModerator(server)));
  const answers = await blockedByLock(
    server,
    lockOf(input.target_id),
    moderators.map((one) => () => askAct(server, one, input)),
  );
  const done = answers.filter(({ status }) => status === 201);
  assert.equal(done.length, 1);
  for (const answer of answers) if (answer !== done[0]) assertProblem(answer, 'conflict');
  assert.deepEqual(await actionsOn(input.target_id), ['hide']);
  assert.equal((await eventsOf(server, author.id)).length, 1);
});

test('the same key at once: one effect, and no request waits for the key', async () => {
  const { input } = await anArticle(server);
  const key = crypto.randomUUID();
  const send = () => askAct(server, moderator, input, { key });
  let others: readonly Response[] = [];
  const [answer] = await blockedByLock(server, lockOf(input.target_id), [send], async () => {
    others = await Promise.all([send(), send()]);
  });
  assert.equal(answer?.status, 201);
  for (const other of others) assertProblem(other, 'idempotency-in-progress');
  assert.deepEqual((await send()).body, answer?.body);
  assert.deepEqual(await actionsOn(input.target_id), ['hide']);
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
  const answers = await Promise.all(rounds.map((input) => askAct(server, moderator, input)));
  for (const { status, body } of answers) assert.equal(status, 201, JSON.stringify(body));
  assert.equal((await eventsOf(server, author.id)).length, 40);
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
  const [published] = await blockedByLock(server, lockOf(id), [publish], async () => {
    const input = { target_type: 'principal', target_id: owner.id, action: 'suspend' } as const;
    suspended = askAct(server, moderator, input).finally(() => {
      ended = true;
    });
    await untilWaiting(server, 2);
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
