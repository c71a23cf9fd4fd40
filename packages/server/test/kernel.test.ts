// The rules for every response: CORS, compression, caching, explanations of problems, health.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { operationList, problemNames, problems } from '@colophon/contract';
import { assertProblem, startServer } from './harness.ts';
import { getRaw } from './raw-request.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const human = await server.register();
const long = await server.published(human, { content: 'All work and no play. '.repeat(200) });

const preflight = (path: string, method: string) =>
  server.ask('OPTIONS', path, {
    headers: {
      origin: 'https://example.org',
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,idempotency-key',
    },
  });
const list = (header: string | null) => (header ?? '').split(', ');

for (const { path, method } of operationList) {
  test(`CORS: a preflight of ${method} ${path} lets any origin in`, async () => {
    const { status, headers, body } = await preflight(
      path.replaceAll(/\{\w+\}/g, '0'.repeat(26)),
      method,
    );
    assert.equal(status, 204);
    assert.equal(body, '');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('access-control-allow-credentials'), null);
    assert.ok(list(headers.get('access-control-allow-methods')).includes(method));
    for (const name of [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
    ]) {
      assert.ok(list(headers.get('access-control-allow-headers')).includes(name), name);
    }
  });
}

test('CORS: successes, problems and 304 expose what scripts need, never with credentials', async () => {
  const path = `/v1/articles/${long.id}`;
  const tag = (await server.ask('GET', path)).headers.get('etag') ?? '';
  const answers = [
    await server.ask('GET', path, { headers: { origin: 'https://example.org' } }),
    await server.ask('GET', path),
    await server.ask('GET', path, { headers: { 'if-none-match': tag } }),
    await server.ask('GET', '/v1/me'),
    await server.ask('GET', '/v1/nothing'),
    await server.ask('DELETE', '/v1/articles'),
    await server.ask('POST', '/v1/humans', { raw: '{' }),
    await server.ask('GET', '/v1/openapi.json'),
  ];
  for (const { status, headers } of answers) {
    assert.equal(headers.get('access-control-allow-origin'), '*', String(status));
    assert.equal(headers.get('access-control-allow-credentials'), null);
    for (const name of [
      'ETag',
      'Location',
      'Link',
      'X-Request-Id',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotency-Replayed',
    ]) {
      assert.ok(list(headers.get('access-control-expose-headers')).includes(name), name);
    }
  }
});

test('CORS: only below /v1, and an unknown path has no preflight', async () => {
  assertProblem(await preflight('/v1/nothing', 'GET'), 'not-found');
  for (const path of ['/healthz', '/errors/conflict']) {
    assert.equal((await server.ask('GET', path)).headers.get('access-control-allow-origin'), null);
    assert.equal((await preflight(path, 'GET')).headers.get('access-control-allow-origin'), null);
  }
});

const unpack = { gzip: gunzipSync, br: brotliDecompressSync } as const;
for (const encoding of ['gzip', 'br'] as const) {
  test(`compression: ${encoding} for JSON and HTML over 1 KiB, none below`, async () => {
    for (const path of [
      `/v1/articles/${long.id}`,
      '/v1/meta',
      '/v1/openapi.json',
      '/errors/conflict',
    ]) {
      const [plain, packed] = [
        await getRaw(server, path),
        await getRaw(server, path, [`Accept-Encoding: ${encoding}`]),
      ];
      assert.equal(plain.headers.get('content-encoding'), undefined);
      assert.equal(packed.headers.get('content-encoding'), encoding, path);
      assert.match(packed.headers.get('vary') ?? '', /accept-encoding/i);
      assert.ok(packed.body.length < plain.body.length);
      assert.deepEqual(unpack[encoding](packed.body), plain.body);
    }
    for (const path of ['/healthz', '/v1/nothing']) {
      const small = await getRaw(server, path, [`Accept-Encoding: ${encoding}`]);
      assert.equal(small.headers.get('content-encoding'), undefined);
      assert.ok(small.body.length < 1024);
    }
  });
}

test('compression: the better of two, and none that was not asked for', async () => {
  const path = `/v1/articles/${long.id}`;
  const coding = async (accepted: string) =>
    (await getRaw(server, path, [`Accept-Encoding: ${accepted}`])).headers.get('content-encoding');
  assert.equal(await coding('gzip, br'), 'br');
  assert.equal(await coding('identity'), undefined);
  assert.equal(await coding('gzip;q=0, br;q=0'), undefined);
  assert.equal(await coding('zstd, compress'), undefined);
});

test('compression: HEAD has the length of the GET or none, whatever the media type', async () => {
  const accepted = { 'accept-encoding': 'gzip' };
  for (const path of ['/llms.txt', '/metrics', '/robots.txt', '/v1/meta', '/healthz']) {
    const packed = await getRaw(server, path, ['Accept-Encoding: gzip']);
    const isPacked = packed.headers.has('content-encoding');
    const { headers } = await server.ask('HEAD', path, { headers: accepted });
    const length = isPacked ? null : String(packed.body.length);
    assert.equal(headers.get('content-length'), length, path);
  }
});

test('caching: problems are stored by no cache', async () => {
  for (const path of [
    '/v1/me',
    '/v1/nothing',
    '/nothing',
    '/v1/articles?limit=0',
    '/errors/nothing',
  ]) {
    assert.equal((await server.ask('GET', path)).headers.get('cache-control'), 'no-store');
  }
});

test('caching: answers to a token are stored by no cache', async () => {
  for (const path of [
    `/v1/articles/${long.id}`,
    '/v1/articles',
    '/v1/meta',
    '/v1/me',
    `/v1/articles/${long.id}/revisions`,
  ]) {
    assert.equal(
      (await server.ask('GET', path, { token: human.token })).headers.get('cache-control'),
      'private, no-store',
    );
  }
});

for (const name of problemNames) {
  test(`/errors/${name} explains the problem, as HTML and as Markdown`, async () => {
    const page = await server.ask('GET', `/errors/${name}`);
    const { status, title, meaning, advice } = problems[name];
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(page.headers.get('vary')?.split(',')[0], 'Accept');
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.match(page.headers.get('cache-control') ?? '', /^public, max-age=\d+$/);
    assert.ok(page.body.startsWith('<!doctype html>'));
    for (const part of [`<code>${name}</code>`, String(status), title])
      assert.ok(page.body.includes(part), part);
    const text = await server.ask('GET', `/errors/${name}`, {
      headers: { accept: 'text/markdown' },
    });
    assert.equal(text.headers.get('content-type'), 'text/markdown; charset=utf-8');
    for (const part of [name, String(status), title, meaning, advice])
      assert.ok(text.body.includes(part), part);
  });
}

for (const [accept, type] of [
  ['*/*', 'text/html'],
  ['text/html, text/markdown', 'text/html'],
  ['text/html;q=0.5, text/markdown', 'text/markdown'],
  ['text/markdown; charset=utf-8, text/html;q=0.5', 'text/markdown'],
  ['text/*', 'text/html'],
  ['application/json', 'text/html'],
  ['text/markdown;q=0', 'text/html'],
  [',,;q', 'text/html'],
] as const) {
  test(`/errors/conflict for Accept: ${accept} is ${type}`, async () => {
    const { status, headers } = await server.ask('GET', '/errors/conflict', {
      headers: { accept },
    });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), `${type}; charset=utf-8`);
  });
}

test('a problem’s type leads to its explanation', async () => {
  const { body } = await server.ask('GET', '/v1/me');
  const page = await server.ask('GET', new URL(body.type).pathname);
  assert.equal(new URL(body.type).origin, server.baseUrl);
  assert.ok(page.body.includes(body.title));
});

for (const name of ['nothing', 'Conflict', 'constructor', '__proto__', '%3Cscript%3E']) {
  test(`404 not-found: /errors/${name}`, async () => {
    assertProblem(await server.ask('GET', `/errors/${name}`), 'not-found');
  });
}

test('the style of the explanations is served as a style', async () => {
  const { status, headers } = await server.ask('GET', '/errors/style.css');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/css; charset=utf-8');
});

test('/v1/openapi.json describes every operation with its problems', async () => {
  const { status, headers, body } = await server.ask('GET', '/v1/openapi.json');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.match(body.openapi, /^3\.1\./);
  assert.equal(body.servers[0].url, server.baseUrl);
  for (const { name, method, path } of operationList) {
    assert.equal(body.paths[path]?.[method.toLowerCase()]?.operationId, name);
  }
});

test('304: what describes the interface is revalidated by its entity tag', async () => {
  for (const path of ['/v1/openapi.json', '/llms.txt', '/docs/agents.md']) {
    const etag = (await server.ask('GET', path)).headers.get('etag') ?? '';
    assert.notEqual(etag, '', path);
    const again = await server.ask('GET', path, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304, path);
    const other = await server.ask('GET', path, { headers: { 'if-none-match': '"other"' } });
    assert.equal(other.status, 200, path);
  }
});

test('/v1/openapi.json: a bad token is refused, and what is read with a good one is kept by nobody', async () => {
  const path = '/v1/openapi.json';
  const refused = await server.ask('GET', path, { token: 'clp_bad' });
  assertProblem(refused, 'unauthenticated');
  const { token } = await server.register();
  const read = await server.ask('GET', path, { token });
  assert.equal(read.status, 200);
  assert.equal(read.headers.get('cache-control'), 'private, no-store');
  assert.match(
    (await server.ask('GET', path)).headers.get('cache-control') ?? '',
    /^public, max-age=0/,
  );
});

test('/healthz and /readyz answer, to GET and to HEAD', async () => {
  assert.deepEqual((await server.ask('GET', '/healthz')).body, { status: 'ok' });
  const ready = await server.ask('GET', '/readyz');
  assert.equal(ready.status, 200);
  assert.equal(ready.body.status, 'ready');
  assert.deepEqual(Object.values(ready.body.checks), ['ok', 'ok', 'ok']);
  for (const path of ['/healthz', '/readyz']) {
    const { status, headers, body } = await server.ask('HEAD', path);
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(body, '');
    assertProblem(await server.ask('POST', path), 'not-found');
  }
});
