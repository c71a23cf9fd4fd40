// If-Match of the writes of an article that do not require it, and of operations that do not take it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const human = await server.register();

interface Write {
  readonly method: 'PATCH' | 'DELETE' | 'POST';
  readonly below: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly key?: true;
  readonly done: number;
}

const writes: readonly Write[] = [
  { method: 'PATCH', below: '', body: { visibility: 'unlisted' }, done: 200 },
  { method: 'POST', below: '/publish', body: {}, key: true, done: 200 },
  { method: 'DELETE', below: '', done: 204 },
  { method: 'POST', below: '/erase', body: { confirm: 'erase' }, done: 200 },
];

/** An article with two revisions, of which the first is published. */
async function makeRevised() {
  const { id, revision_id: first } = await server.draft(human);
  await server.ask('POST', `/v1/articles/${id}/publish`, {
    token: human.token,
    key: true,
    body: {},
  });
  const { body } = await server.ask('POST', `/v1/articles/${id}/revisions`, {
    token: human.token,
    key: true,
    body: { content: 'Not seen by the other program.', expected_revision_id: first },
  });
  return { id, first, newest: body.revision_id as string };
}

async function readLatest(id: string, { token }: Pick<Human, 'token'> = human) {
  const read = await server.ask('GET', `/v1/articles/${id}?view=latest`, { token });
  return { tag: read.headers.get('etag') ?? '', body: read.body };
}

for (const { method, below, body, key, done } of writes) {
  const send = (id: string, tag: string) =>
    server.ask(method, `/v1/articles/${id}${below}`, {
      token: human.token,
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { key }),
      headers: { 'if-match': tag },
    });

  test(`412 precondition-failed: ${method} …${below} with an older revision changes nothing`, async () => {
    const { id, first, newest } = await makeRevised();
    const before = await readLatest(id);
    for (const tag of [`"${first}"`, `"${first}.0123456789ab"`, '"another"', `"${newId(1)}"`]) {
      const refused = await send(id, tag);
      assertProblem(refused, 'precondition-failed');
      assert.equal(refused.body.current_revision_id, newest);
      assert.equal(refused.headers.get('etag'), `"${newest}"`);
    }
    assert.deepEqual(await readLatest(id), before);
  });

  for (const what of ['the newest revision', 'the tag of a read', '*']) {
    test(`${done} for ${method} …${below} with ${what}`, async () => {
      const { id, newest } = await makeRevised();
      const tags = { 'the newest revision': `"${newest}"`, '*': '*' } as Record<string, string>;
      const answer = await send(id, tags[what] ?? (await readLatest(id)).tag);
      assert.equal(answer.status, done);
    });
  }
}

test('412 precondition-failed: an empty tag is named in the words as it was sent', async () => {
  const { id, newest } = await makeRevised();
  const headers = { 'if-match': '""' };
  const refused = await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token, headers });
  assertProblem(refused, 'precondition-failed');
  assert.ok(refused.body.detail.startsWith(`The newest revision is ${newest}, not "". `));
});

test('404, 403 and 410 come before 412', async () => {
  const { id, first } = await makeRevised();
  const headers = { 'if-match': `"${first}"` };
  const stranger = await server.register();
  assertProblem(
    await server.ask('DELETE', `/v1/articles/${newId(1)}`, { token: human.token, headers }),
    'not-found',
  );
  const asked = { token: stranger.token, headers };
  assertProblem(await server.ask('DELETE', `/v1/articles/${id}`, asked), 'forbidden');
  await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  const again = { token: human.token, headers };
  assertProblem(await server.ask('DELETE', `/v1/articles/${id}`, again), 'gone');
});

test('of a deletion and a revision at once, the deletion with If-Match does not lose the revision', async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    const { id, newest } = await makeRevised();
    const [revised, deleted] = await Promise.all([
      server.ask('POST', `/v1/articles/${id}/revisions`, {
        token: human.token,
        key: true,
        body: { content: `At the same time ${turn}.`, expected_revision_id: newest },
      }),
      server.ask('DELETE', `/v1/articles/${id}`, {
        token: human.token,
        headers: { 'if-match': `"${newest}"` },
      }),
    ]);
    assert.ok(
      (revised.status === 201 && deleted.status === 412) ||
        (revised.status === 410 && deleted.status === 204),
      `${revised.status} ${deleted.status}`,
    );
  }
});

test('400 invalid-request: a write that does not take If-Match does not ignore it', async () => {
  const headers = { 'if-match': '"one"' };
  const refused = await server.ask('PATCH', `/v1/principals/${human.id}`, {
    token: human.token,
    body: { display_name: 'Changed' },
    headers,
  });
  assertProblem(refused, 'invalid-request');
  const read = await server.ask('GET', `/v1/principals/${human.id}`, { headers });
  assert.equal(read.status, 200);
  assert.notEqual(read.body.display_name, 'Changed');
});
