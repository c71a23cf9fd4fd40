// POST /v1/moderation/reports/{id}/review, concurrently: one decision each, and an audit log without gaps.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, firstIdAt } from '#lib/id';
import { storeToken } from '#test/accounts';
import { problemName, startServer } from '#test/harness';
import type { Response } from '#test/harness';
import { blockedByLock } from '#test/blocked-by-lock';
import { askAct } from '#test/moderators';
import { age, auditOf, changesOf, moderator, read, report, review } from '#test/reports';
import { auditHash, auditOrigin } from '../service/audit.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const mod = await moderator(server);

test('200 once and 409 conflict 19 times: 20 moderators on one report', async () => {
  const judges = await Promise.all(Array.from({ length: 20 }, () => moderator(server)));
  for (const status of ['reviewing', 'rejected']) {
    const id = await report(server);
    const holding = sql`select id from reports where bucket = ${bucketOf(id)} and id = ${id} for update`;
    const ask = judges.map((judge) => () => review(server, judge, id, { status }));
    const late: ReturnType<typeof review>[] = [];
    // As many requests wait as the server has connections; the others arrive meanwhile.
    const early = await blockedByLock(server, holding, ask.slice(0, 8), async () => {
      late.push(...ask.slice(8).map((one) => one()));
    });
    const answers = [...early, ...(await Promise.all(late))];
    const won = answers.filter((answer) => answer.status === 200);
    assert.equal(won.length, 1);
    assert.equal(answers.filter((answer) => problemName(answer) === 'conflict').length, 19);
    assert.deepEqual(
      (await changesOf(server, id)).map(({ to_status: to }) => to),
      ['open', status],
    );
    assert.equal((await auditOf(server, id)).length, 1);
  }
});

test('200 for all: 20 moderators on as many reports; the audit chain has no gap', async () => {
  const judges = await Promise.all(Array.from({ length: 20 }, () => moderator(server)));
  const ids = await Promise.all(judges.map(() => report(server)));
  const answers = await Promise.all(
    judges.map((judge, n) => review(server, judge, ids[n] ?? '', { status: 'rejected' })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  );
  const rows = await server.db.rows(sql<{
    number: number;
    hash: string;
    previous_hash: string;
    actor: string;
    action: string;
    target_type: string;
    target_id: string;
    details: Record<string, unknown>;
    created_at: string;
  }>`
    select number, hash, previous_hash, actor, action, target_type, target_id, details, created_at
    from audit_log
    order by number`);
  let last = auditOrigin;
  for (const { number, hash, previous_hash: previous, ...entry } of rows) {
    assert.equal(number, last.number + 1);
    assert.equal(previous, last.hash);
    assert.equal(hash, auditHash(entry, number, previous));
    last = { number, hash };
  }
  for (const id of ids) assert.equal((await auditOf(server, id)).length, 1);
});

for (const [when, hours, mayAll] of [
  ['just before the claim lapses', 23.99, false],
  ['just after it lapsed', 24.0001, true],
] as const) {
  test(`one decision, ${when}: the claimant rejects, another claims, a third acts, at once`, async () => {
    const [claimant, another, third] = [mod, await moderator(server), await moderator(server)];
    for (const turn of [0, 1, 2]) {
      const target_id = (await server.published(await server.register())).id as string;
      const id = await report(server, { target_id });
      assert.equal((await review(server, claimant, id, { status: 'reviewing' })).status, 200);
      await age(server, id, hours);
      const holding = sql`select id from reports where bucket = ${bucketOf(id)} and id = ${id} for update`;
      const input = { target_type: 'article', target_id, action: 'hide', report_id: id } as const;
      const contenders = [
        () => review(server, claimant, id, { status: 'rejected' }),
        () => review(server, another, id, { status: 'reviewing' }),
        () => askAct(server, third, input),
      ];
      const order = [...contenders.slice(turn), ...contenders.slice(0, turn)];
      const late: ReturnType<typeof review>[] = [];
      const [first] = await blockedByLock(server, holding, order.slice(0, 1), async () => {
        late.push(...order.slice(1).map((one) => one()));
      });
      const answers = [first, ...(await Promise.all(late))];
      const won = answers.map((answer) => (answer?.status ?? 500) < 300);
      // Before the claim lapses only the claimant may decide; after it, the first moderator.
      const winner = mayAll ? won.indexOf(true) : (contenders.length - turn) % contenders.length;
      assert.equal(won[winner], true, JSON.stringify(answers[winner]?.body));
      assert.equal(won.filter(Boolean).length, 1);
      assert.equal(
        answers.filter((answer) => problemName(answer as Response) === 'conflict').length,
        2,
      );
      const states = (await changesOf(server, id)).map(({ to_status: to }) => to);
      const ends = ['rejected', 'reviewing', 'actioned'][(winner + turn) % contenders.length];
      assert.deepEqual(states, ['open', 'reviewing', ends]);
      const article = await server.ask('GET', `/v1/articles/${target_id}`);
      assert.equal(article.status, ends === 'actioned' ? 404 : 200);
    }
  });
}

test('403 insufficient-scope or 401 unauthenticated: the scope or the token goes while the request is under way', async () => {
  const ways = {
    'insufficient-scope': (id: string) =>
      sql`update tokens set scopes = '{}' where bucket = ${bucketOf(id)} and id = ${id}`,
    unauthenticated: (id: string) =>
      sql`update tokens set revoked_at = now() where bucket = ${bucketOf(id)} and id = ${id}`,
  } as const;
  for (const [name, taking] of Object.entries(ways)) {
    const token = await storeToken(server, mod.id, ['admin:moderate']);
    const me = await server.ask('GET', '/v1/me', { token });
    const ids = [await report(server), await report(server)];
    const answers = await blockedByLock(
      server,
      taking(me.body.token.id as string),
      ids.map((id) => () => review(server, { token }, id, { status: 'rejected' })),
    );
    assert.deepEqual(answers.map(problemName), [name, name]);
    for (const id of ids) assert.equal((await read(server, mod, id)).body.status, 'open');
  }
});

const decisions = {
  'a claim': (id: string) => review(server, mod, id, { status: 'reviewing' }),
  'an action': (report_id: string, target_id: string) =>
    askAct(server, mod, { target_type: 'article', target_id, action: 'hide', report_id }),
  'an action that closes all reports': (report_id: string, target_id: string) => {
    const input = { target_type: 'article', target_id, action: 'hide', report_id } as const;
    return askAct(server, mod, { ...input, all_reports: true });
  },
} as const;

for (const [what, decide] of Object.entries(decisions)) {
  test(`the history lists ${what} that waited for its report as it took effect, not as it was requested`, async () => {
    const target_id = (await server.published(await server.register())).id as string;
    const id = await report(server, { target_id });
    const holding = sql`select id from reports where bucket = ${bucketOf(id)} and id = ${id} for update`;
    let waiting = '';
    const [answer] = await blockedByLock(
      server,
      holding,
      [() => decide(id, target_id)],
      async () => {
        // The lowest id that another process could make now.
        waiting = firstIdAt(Date.now());
      },
    );
    assert.ok((answer?.status ?? 500) < 300, JSON.stringify(answer?.body));
    const change = await server.db.first(sql<{ id: string }>`
      select id from report_changes
      where bucket = ${bucketOf(id)} and report_id = ${id} and from_status is not null`);
    assert.ok(
      (change?.id ?? '') > waiting,
      `${change?.id} was made before the decision had its turn`,
    );
  });
}
