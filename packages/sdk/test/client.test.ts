// The client's requests and replies: where members go, and what comes back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, isProblem } from '@colophon/sdk';
import { json, startScript, text } from './scripted-server.ts';

const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';
const published = {
  id,
  revision_id: id,
  url: 'https://example.org/a',
  published_at: '2026-01-31T09:30:00.000Z',
};

test('path, query, body and headers are sorted out of one flat input', async () => {
  await using server = await startScript(json(201, { revision_id: id, unchanged: false }));
  const client = createClient({
    baseUrl: `${server.baseUrl}/deep/`,
    token: 'secret',
    userAgent: 'test/1',
  });
  await client.createRevision(
    { id: 'a/b', title: 'T', metadata: { a: 1 }, if_match: id, dry_run: false, content: undefined },
    { requestId: 'my-request', idempotencyKey: 'my-own-key' },
  );
  const [request] = server.seen;
  assert.equal(request?.method, 'POST');
  assert.equal(request.url, '/deep/v1/articles/a%2Fb/revisions?dry_run=false');
  assert.deepEqual(JSON.parse(request.body), { title: 'T', metadata: { a: 1 } });
  const { headers } = request;
  assert.equal(headers['if-match'], `"${id}"`);
  assert.equal(headers['idempotency-key'], 'my-own-key');
  assert.equal(headers['x-request-id'], 'my-request');
  assert.equal(headers['user-agent'], 'test/1');
  assert.equal(headers.authorization, 'Bearer secret');
  assert.equal(headers['content-type'], 'application/json');
});

test('a tag goes back as it came', async () => {
  await using server = await startScript(json(201, {}));
  await createClient({ baseUrl: server.baseUrl }).createRevision({ id, if_match: '"x.y"' });
  assert.equal(server.seen[0]?.headers['if-match'], '"x.y"');
});

test('an operation without a body sends none, one with optional members an empty object', async () => {
  await using server = await startScript(json(200, published));
  const client = createClient({ baseUrl: server.baseUrl });
  await client.readMe();
  await client.publishArticle({ id });
  await client.listArticles();
  const [me, publish, list] = server.seen;
  assert.equal(me?.body, '');
  assert.equal(me.headers['content-type'], undefined);
  assert.equal(me.headers.authorization, undefined);
  assert.equal(me.headers['idempotency-key'], undefined);
  assert.equal(publish?.body, '{}');
  assert.match(String(publish.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
  assert.equal(list?.url, '/v1/articles');
});

test('query values are encoded', async () => {
  await using server = await startScript(json(200, { items: [], next_cursor: null }));
  await createClient({ baseUrl: server.baseUrl }).listArticles({
    author: 'a&b',
    limit: 5,
    signed: true,
    topic: undefined,
  });
  assert.equal(server.seen[0]?.url, '/v1/articles?author=a%26b&limit=5&signed=true');
});

test('the body is answered, and with the reply its status and head', async () => {
  const head = { etag: `"${id}"`, location: '/v1/articles/x', 'idempotency-replayed': 'true' };
  await using server = await startScript(json(200, published), json(200, published, head));
  const client = createClient({ baseUrl: server.baseUrl });
  assert.deepEqual(await client.publishArticle({ id }), published);
  const { headers, ...reply } = await client.withResponse.publishArticle({ id });
  assert.equal(headers.get('content-type'), 'application/json');
  assert.deepEqual(reply, {
    status: 200,
    body: published,
    etag: head.etag,
    location: head.location,
    request_id: 'request-1',
    replayed: true,
    attempts: 1,
  });
});

test('204 answers undefined', async () => {
  await using server = await startScript((_, response) => response.writeHead(204).end());
  const client = createClient({ baseUrl: server.baseUrl });
  assert.equal(await client.deleteArticle({ id }), undefined);
  assert.equal(server.seen[0]?.method, 'DELETE');
});

test('bytes are answered as a Blob of their type; a page in their place is a problem', async () => {
  const bytes = Buffer.from([0xff, 0xd8, 0xff, 0x00, 0x80]);
  await using server = await startScript(
    (_, response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes),
    text(200, '<!doctype html>'),
  );
  const client = createClient({ baseUrl: server.baseUrl, retry: { attempts: 1 } });
  const blob = await client.readMediaContent({ id, w: 320 });
  assert.equal(blob.type, 'image/jpeg');
  assert.deepEqual(Buffer.from(await blob.arrayBuffer()), bytes);
  assert.equal(server.seen[0]?.url, `/v1/media/${id}/content?w=320`);
  assert.match(server.seen[0].headers.accept ?? '', /image\/jpeg.*application\/problem\+json/);
  await assert.rejects(client.readMediaContent({ id }), (error) => isProblem(error));
});

test('input that cannot be sent is a TypeError and no request', async () => {
  await using server = await startScript(json(200, {}));
  const client = createClient({ baseUrl: server.baseUrl });
  const loose = client as unknown as Record<
    string,
    (input?: object, options?: object) => Promise<unknown>
  >;
  await assert.rejects(async () => loose['readArticle']?.(), TypeError);
  for (const bad of ['', '.', '..', '\ud800'])
    await assert.rejects(client.deleteArticle({ id: bad }), TypeError);
  await assert.rejects(async () => loose['readMe']?.({ colour: 1 }), /readMe has no member colour/);
  const byText = client.readArticle as unknown as (text: string) => Promise<unknown>;
  await assert.rejects(async () => byText(id), /readArticle takes one object/);
  await assert.rejects(async () => loose['createEdge']?.({ if_match: 'x' }), TypeError);
  await assert.rejects(client.publishArticle({ id }, { idempotencyKey: 'a\nb' }), TypeError);
  assert.equal(server.seen.length, 0);
});

test('a malformed address or token is a TypeError that does not print the token', () => {
  for (const baseUrl of ['', 'localhost', 'ftp://example.org', 'https://me:pw@example.org']) {
    assert.throws(() => createClient({ baseUrl }), TypeError);
  }
  for (const baseUrl of ['https://example.org/v1', 'https://example.org/deep/v1/'])
    assert.throws(() => createClient({ baseUrl }), /^TypeError: baseUrl ends with \/v1/);
  for (const baseUrl of ['https://v1', 'https://example.org/my-v1'])
    assert.doesNotThrow(() => createClient({ baseUrl }));
  assert.throws(
    () => createClient({ baseUrl: 'https://example.org', token: 'hidden\n' }),
    (error: Error) => error instanceof TypeError && !error.message.includes('hidden'),
  );
});

test('a redirect is not followed but told', async () => {
  await using server = await startScript((_, response) => {
    response.writeHead(301, { location: 'https://elsewhere.example/' }).end();
  });
  const call = createClient({ baseUrl: server.baseUrl, token: 'secret' }).publishArticle({ id });
  await assert.rejects(
    call,
    (error) => isProblem(error) && error.message.includes('https://elsewhere.example/'),
  );
  assert.equal(server.seen.length, 1);
});

test('a fetch that is passed is used', async () => {
  const asked: string[] = [];
  const mine: typeof fetch = async (address) => {
    asked.push(address as string);
    return Response.json({ items: [], next_cursor: null });
  };
  await createClient({ baseUrl: 'https://example.org', fetch: mine }).listTokens();
  assert.deepEqual(asked, ['https://example.org/v1/tokens']);
});

test('a page of somebody else is not a success', async () => {
  await using server = await startScript(text(200, '<html>Welcome to the hotel</html>'));
  const client = createClient({ baseUrl: server.baseUrl });
  await assert.rejects(
    client.readMeta(),
    (error) => isProblem(error, 'internal-error') && error.source === 'gateway',
  );
  assert.equal(server.seen.length, 1);
});
