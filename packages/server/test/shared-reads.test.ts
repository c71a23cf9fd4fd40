// Anonymous requests for the same address share reads, counted on the wire; each sees what was committed before it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startCounted } from './counted-server.ts';
import { effort } from './effort.ts';

const { server, proxy, ...counted } = await startCounted();
after(() => counted[Symbol.asyncDispose]());

const atOnce = 40;

function together(path: string, headers: Readonly<Record<string, string>> = {}) {
  return Promise.all(
    Array.from({ length: atOnce }, async () => {
      const response = await fetch(server.baseUrl + path, { headers });
      return { response, text: await response.text() };
    }),
  );
}

/** Counts the statements of requests at the same time, after connections are open. */
async function statementsOf(path: string, headers: Readonly<Record<string, string>> = {}) {
  for (let time = 0; time < 3; time += 1) await together(path, headers);
  let answers: Awaited<ReturnType<typeof together>> = [];
  const { statements } = await proxy.count(async () => {
    answers = await together(path, headers);
  });
  return { statements, answers };
}

test('anonymous requests at the same time share statements, and get the same answer', async () => {
  const author = await server.register();
  for (let count = 0; count < 3; count += 1) await server.published(author);
  const { statements, answers } = await statementsOf('/v1/articles?limit=2');
  assert.ok(statements <= atOnce / 2, `${statements} statements`);
  const [first] = answers;
  assert.equal(first?.response.headers.get('content-type'), 'application/json; charset=utf-8');
  const ids = new Set<string | null>();
  for (const { response, text } of answers) {
    assert.equal(response.status, 200);
    assert.equal(text, first?.text);
    for (const name of ['content-type', 'content-length', 'etag', 'link', 'vary', 'cache-control'])
      assert.equal(response.headers.get(name), first?.response.headers.get(name), name);
    ids.add(response.headers.get('x-request-id'));
  }
  assert.equal(ids.size, atOnce);
});

test('another address, media type or reader is another read', async () => {
  const author = await server.register();
  const { id } = await server.published(author, { content: '# One\n\nText.' });
  const [json, markdown, own] = await Promise.all([
    together(`/v1/articles/${id}`),
    together(`/v1/articles/${id}`, { accept: 'text/markdown' }),
    together(`/v1/articles/${id}`, { authorization: `Bearer ${author.token}` }),
  ]);
  for (const { text } of json) assert.equal(JSON.parse(text).content, '# One\n\nText.');
  for (const { response } of markdown)
    assert.match(response.headers.get('content-type') ?? '', /^text\/markdown/);
  for (const { response } of own)
    assert.equal(response.headers.get('cache-control'), 'private, no-store');
});

test('a request whose read is refused gets a problem of its own', async () => {
  const answers = await together('/v1/articles/01ARZ3NDEKTSV4RRFFQ69G5FAV');
  const ids = answers.map(({ response, text }) => {
    assert.equal(response.status, 404);
    const { type, request_id } = JSON.parse(text);
    assert.match(type, /\/errors\/not-found$/);
    assert.equal(request_id, response.headers.get('x-request-id'));
    return request_id;
  });
  assert.equal(new Set(ids).size, atOnce);
});

/** Requests the address again and again until it is stopped, so that there is always a read to take part in. */
function keepReading(path: string) {
  const stop = new AbortController();
  const readers = Array.from({ length: 8 }, async () => {
    while (!stop.signal.aborted) {
      const response = await fetch(server.baseUrl + path);
      await response.arrayBuffer();
    }
  });
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(readers);
    },
  };
}

test('beside constant readers, every request sees what was answered before it was sent', async () => {
  const author = await server.register();
  const { id } = await server.published(author);
  const path = `/v1/articles?author=${author.id}`;
  await using _list = keepReading(path);
  await using _one = keepReading(`/v1/articles/${id}`);
  for (let round = 0; round < effort(25, 1_000); round += 1) {
    const body = { canonical_url: `https://example.org/${round}` };
    const changed = await server.ask('PATCH', `/v1/articles/${id}`, { token: author.token, body });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const [list, one] = await Promise.all(
      [path, `/v1/articles/${id}`].map((each) => server.ask('GET', each)),
    );
    assert.equal(list?.body.items[0].canonical_url, body.canonical_url);
    assert.equal(one?.body.canonical_url, body.canonical_url);
  }
});
