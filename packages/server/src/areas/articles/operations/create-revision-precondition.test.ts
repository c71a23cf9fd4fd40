// POST /v1/articles/{id}/revisions over HTTP: the revision that a writer builds on, and who wins a race.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { assertProblem, startServer } from '#test/harness';
import type { Asked, Human } from '#test/harness';
import { assertFault } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

type Members = Readonly<Record<string, unknown>>;
const ask = (id: string, asked: Asked) =>
  server.ask('POST', `/v1/articles/${id}/revisions`, { key: true, ...asked });
const revise = (human: Pick<Human, 'token'>, id: string, expected: string, body: Members) =>
  ask(id, { token: human.token, body, headers: { 'if-match': `"${expected}"` } });
const read = async (human: Human, id: string) =>
  (await server.ask('GET', `/v1/articles/${id}?view=latest`, { token: human.token })).body;

const tags: readonly [string, (revision: string, tag: string) => string][] = [
  ['quoted', (revision) => `"${revision}"`],
  ['bare', (revision) => revision],
  ['weak', (revision) => `W/"${revision}"`],
  ['of an article’s read', (_, tag) => tag],
  ['of an article’s read, weak', (_, tag) => `W/${tag}`],
  ['between blanks', (revision) => `  "${revision}"  `],
];
for (const [what, tagOf] of tags) {
  test(`201 for If-Match ${what}`, async () => {
    const human = await server.register();
    const { id, revision_id } = await server.draft(human);
    const tag =
      (await server.ask('GET', `/v1/articles/${id}`, { token: human.token })).headers.get('etag') ??
      '';
    assert.ok(tag.startsWith(`"${revision_id}.`));
    const made = await ask(id, {
      token: human.token,
      body: { content: what },
      headers: { 'if-match': tagOf(revision_id, tag) },
    });
    assert.equal(made.status, 201);
  });
}

test('201 for expected_revision_id in the body, and for both when they agree', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  const { body } = await ask(id, {
    token: human.token,
    body: { content: 'x', expected_revision_id: revision_id },
  });
  assert.equal(body.unchanged, false);
  const both = { content: 'y', expected_revision_id: body.revision_id };
  assert.equal((await revise(human, id, body.revision_id, both)).status, 201);
});

for (const header of ['', '"a", "b"', '"a" "b"', '"', '"a', 'a,b', '*, "a"']) {
  test(`400 invalid-request: If-Match: ${header}`, async () => {
    const human = await server.register();
    const { id } = await server.draft(human);
    const refused = await ask(id, {
      token: human.token,
      body: {},
      headers: { 'if-match': header },
    });
    assertProblem(refused, 'invalid-request');
    assert.match(refused.body.detail, /If-Match/);
  });
}

test('428 precondition-required: no tag, or *, and the answer names the newest', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  for (const headers of [{}, { 'if-match': '*' }]) {
    const refused = await ask(id, { token: human.token, body: { content: 'x' }, headers });
    assertProblem(refused, 'precondition-required');
    assert.equal(refused.body.current_revision_id, revision_id);
    assert.equal(refused.headers.get('etag'), `"${revision_id}"`);
  }
});

test('412 precondition-failed: an earlier revision, and the answer names the newest', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  const second = (await revise(human, id, revision_id, { content: 'b' })).body.revision_id;
  const byBody = await ask(id, {
    token: human.token,
    body: { content: 'c', expected_revision_id: revision_id },
  });
  for (const refused of [
    await revise(human, id, revision_id, { content: 'c' }),
    byBody,
    await revise(human, id, newId(1), {}),
    await revise(human, id, 'x'.repeat(3000), {}),
  ]) {
    assertProblem(refused, 'precondition-failed');
    assert.equal(refused.body.current_revision_id, second);
    assert.equal(refused.headers.get('etag'), `"${second}"`);
    assert.ok(refused.body.detail.length < 400);
  }
});

test('422 validation-failed: header and body name different revisions', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  assertFault(
    await revise(human, id, revision_id, { expected_revision_id: newId(1) }),
    '/expected_revision_id',
  );
  const star = await ask(id, {
    token: human.token,
    body: { expected_revision_id: revision_id },
    headers: { 'if-match': '*' },
  });
  assertFault(star, '/expected_revision_id');
});

test('201 for one of twenty at once on the same revision, 412 precondition-failed for the rest, twice', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  let current = revision_id as string;
  const kept = ['Some *text* to read.'];
  for (let round = 1; round <= 2; round += 1) {
    const texts = Array.from({ length: 20 }, (_, n) => `round ${round}, by ${n}`);
    const answers = await Promise.all(
      texts.map((content) => revise(human, id, current, { content })),
    );
    const winner = answers.findIndex(({ status }) => status === 201);
    const won = answers[winner]?.body.revision_id as string;
    const lost = answers.filter((_, index) => index !== winner);
    assert.equal(lost.length, 19);
    for (const answer of lost) {
      assertProblem(answer, 'precondition-failed');
      assert.equal(answer.body.current_revision_id, won);
      assert.equal(answer.headers.get('etag'), `"${won}"`);
    }
    kept.push(texts[winner] ?? '');
    current = won;
  }
  const list = await server.ask('GET', `/v1/articles/${id}/revisions`, { token: human.token });
  const texts = await Promise.all(
    (list.body.items as { revision_id: string }[]).map(async (item) => {
      const path = `/v1/articles/${id}/revisions/${item.revision_id}`;
      return (await server.ask('GET', path, { token: human.token })).body.content as string;
    }),
  );
  assert.deepEqual(texts, kept.toReversed());
});

test('201 for a chain of revisions by writers who reread: one line without a fork', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const writer = async (name: string) => {
    for (let made = 0; made < 3;) {
      const current = (await read(human, id)).latest_revision_id;
      const { status } = await revise(human, id, current, {
        content: `${name} ${made} ${newId(1)}`,
      });
      if (status === 201) made += 1;
      else assert.equal(status, 412);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(writer));
  const { items } = (
    await server.ask('GET', `/v1/articles/${id}/revisions?limit=100`, { token: human.token })
  ).body;
  assert.equal(items.length, 10);
  for (const [place, item] of items.entries())
    assert.equal(item.previous_revision_id, items[place + 1]?.revision_id ?? null);
});
