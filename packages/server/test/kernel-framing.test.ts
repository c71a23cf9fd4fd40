// Messages that somebody on the way would read differently: refused, with a problem document, before any effect.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { freshKey, startServer } from './harness.ts';
import { assertRefused, sendRaw } from './raw-request.ts';
import { until } from './throw-away-database.ts';

const server = await startServer();
const staging = await startServer({ DEPLOYMENT: 'staging' });
after(async () => {
  await server[Symbol.asyncDispose]();
  await staging[Symbol.asyncDispose]();
});
const human = await server.register();

/** Where the server ends the connection, no test waits so long; a busy machine must not make us end it first. */
const patienceMs = 5_000;

const json = JSON.stringify({ title: 'T', content: 'C' });
/** A creation with other headers about its body; a second one waits behind it, to be smuggled in. */
function creation(framing: readonly string[], body: string): string {
  const head = [
    'POST /v1/articles HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${human.token}`,
    `Idempotency-Key: ${freshKey()}`,
  ];
  return [...head, ...framing, '', body].join('\r\n');
}
const type = 'Content-Type: application/json';
const length = `Content-Length: ${json.length}`;
const chunked = `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;
const drafts = async () =>
  (await server.ask('GET', '/v1/articles?status=draft', { token: human.token })).body.items.length;

test('201 for a body with Content-Length, in chunks, and with an identity encoding', async () => {
  for (const [framing, body] of [
    [[length], json],
    [['Transfer-Encoding: chunked'], chunked],
    [['transfer-encoding: Chunked'], chunked],
    [[length, 'Content-Encoding: identity'], json],
  ] as const) {
    const text = creation([type, 'Connection: close', ...framing], body);
    const { answers } = await sendRaw(server, text, patienceMs);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201],
      framing.join(),
    );
  }
});

test('400 for a body with an encoding, and for a part of one; its end is clear, so the request behind it is answered', async () => {
  for (const header of [
    'Content-Encoding: gzip',
    'Content-Encoding: br, identity',
    'Content-Range: bytes 0-1/2',
  ]) {
    const refused = creation([type, length, header], json);
    const text = refused + creation([type, length, 'Connection: close'], json);
    const { answers } = await sendRaw(server, text, patienceMs);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 201],
      header,
    );
  }
});

const ambiguous: readonly [string, readonly string[], string][] = [
  ['Content-Length and Transfer-Encoding', [length, 'Transfer-Encoding: chunked'], chunked],
  ['two different Content-Lengths', [length, 'Content-Length: 5'], json],
  ['the same Content-Length twice', [length, length], json],
  ['a list of Content-Lengths', [`Content-Length: ${json.length}, ${json.length}`], json],
  ['Content-Length: +9', [`Content-Length: +${json.length}`], json],
  ['Content-Length: -1', ['Content-Length: -1'], json],
  ['Content-Length: 0x', [`Content-Length: 0x${json.length.toString(16)}`], json],
  ['Content-Length beyond 2^64', ['Content-Length: 99999999999999999999'], json],
  ['Transfer-Encoding: gzip, chunked', ['Transfer-Encoding: gzip, chunked'], chunked],
  ['Transfer-Encoding: chunked, chunked', ['Transfer-Encoding: chunked, chunked'], chunked],
  ['Transfer-Encoding: chunked, gzip', ['Transfer-Encoding: chunked, gzip'], chunked],
  ['Transfer-Encoding: identity', ['Transfer-Encoding: identity'], json],
  [
    'Transfer-Encoding twice',
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
    chunked,
  ],
  ['a blank before the colon', [`Content-Length : ${json.length}`], json],
  ['a folded header', ['X-A: b\r\n c', length], json],
  ['a header without a colon', ['nonsense', length], json],
  ['a header without a name', [': x', length], json],
  ['NUL in a header', ['X-A: a\0b', length], json],
  ['CR in a header', ['X-A: a\rb', length], json],
  ['two Hosts', ['Host: other.example', length], json],
  ['two Authorizations', ['Authorization: Bearer x', length], json],
  ['two Content-Types', ['Content-Type: text/plain', length], json],
  ['two Idempotency-Keys', ['Idempotency-Key: another-key', length], json],
  ['an unknown expectation', ['Expect: 200-ok', length], json],
  ['a malformed chunk size', ['Transfer-Encoding: chunked'], `zz\r\n${json}\r\n0\r\n\r\n`],
  ['a chunk longer than its size', ['Transfer-Encoding: chunked'], `2\r\n${json}\r\n0\r\n\r\n`],
  ['a header of 17 kB', [`X-A: ${'x'.repeat(17_000)}`, length], json],
];
for (const [what, framing, body] of ambiguous) {
  test(`400 invalid-request: ${what}; nothing behind it is read`, async () => {
    const before = await drafts();
    const smuggled = creation([type, length], json);
    assertRefused(
      await sendRaw(server, creation([type, ...framing], body) + smuggled, patienceMs),
      'invalid-request',
    );
    assert.equal(await drafts(), before);
  });
}

test('CORS: programs of any origin may read why the parser refused their headers', async () => {
  const text = `GET /v1/meta HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(17_000)}\r\n\r\n`;
  const exchange = await sendRaw(server, text, patienceMs);
  assertRefused(exchange, 'invalid-request');
  const headers = exchange.answers[0]?.headers ?? new Map<string, string>();
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.match(headers.get('access-control-expose-headers') ?? '', /\bX-Request-Id\b/);
  assert.equal(headers.has('access-control-allow-credentials'), false);
});

const lines: readonly [string, string][] = [
  ['no Host', 'GET /v1/meta HTTP/1.1\r\n\r\n'],
  ['an empty Host', 'GET /v1/meta HTTP/1.1\r\nHost:\r\n\r\n'],
  ['a Host with a path', 'GET /v1/meta HTTP/1.1\r\nHost: a/b\r\n\r\n'],
  ['a Host with a user', 'GET /v1/meta HTTP/1.1\r\nHost: a@b\r\n\r\n'],
  ['a bare line feed in the headers', 'GET /v1/meta HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n'],
  ['another protocol', 'GET /v1/meta HTTPS/1.1\r\nHost: a\r\n\r\n'],
  ['an unknown version', 'GET /v1/meta HTTP/7.3\r\nHost: a\r\n\r\n'],
  ['an unknown method of an unknown version', 'BREW /v1/meta HTTP/7.3\r\nHost: a\r\n\r\n'],
  ['a blank in the path', 'GET /v1/me ta HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an address over the limit', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ['GET of an asterisk', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an address of another scheme', 'GET ftp://a/v1/meta HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['another host in the address', 'GET http://b/v1/meta HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['another port in the address', 'GET http://a:81/v1/meta HTTP/1.1\r\nHost: a:82\r\n\r\n'],
  ['a user in the address', 'GET http://u@a/v1/meta HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an address without a host', 'GET http:///v1/meta HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['garbage', 'nonsense\r\n\r\n'],
];
for (const [what, text] of lines) {
  test(`400 invalid-request: ${what}`, async () => {
    assertRefused(await sendRaw(server, text, patienceMs), 'invalid-request');
  });
}

test('400 invalid-request for an address that is not percent-encoded UTF-8', async () => {
  for (const path of ['/v1/articles/%zz', '/v1/%', '/%c0%80', '/v1/articles/%E0%A4']) {
    const { answers } = await sendRaw(
      server,
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    assert.equal(answers[0]?.status, 400, path);
    assert.match(answers[0]?.headers.get('x-request-id') ?? '', /^[\w.~-]{8,64}$/);
  }
});

test('404 not-found for CONNECT', async () => {
  assertRefused(
    await sendRaw(server, 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', patienceMs),
    'not-found',
  );
});

const unknownMethods: readonly [string, string, string | null][] = [
  ['of a known path', 'BREW /v1/comments/1?a=b', 'DELETE, GET, HEAD, OPTIONS'],
  ['in lower case', 'get /v1/meta', 'GET, HEAD, OPTIONS'],
  ['of an unknown path', 'BREW /v1/nothing', null],
];
for (const [what, line, allow] of unknownMethods) {
  test(`404 not-found: an unknown method ${what}; nothing behind it is read`, async () => {
    const before = await drafts();
    const refused = await sendRaw(
      server,
      `${line} HTTP/1.1\r\nHost: a\r\n\r\n${creation([type, length], json)}`,
      patienceMs,
    );
    assertRefused(refused, 'not-found');
    assert.equal(refused.answers[0]?.headers.get('allow') ?? null, allow);
    assert.equal(await drafts(), before);
  });
}

const below: readonly (readonly [string, string])[] = [
  ['broken framing', 'nonsense\r\n\r\n'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
  ['headers over the limit', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(17_000)}\r\n\r\n`],
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n'],
  ['headers that never end', 'GET / HTTP/1.1\r\nHost: a\r\n'],
];
/** Of the 10 s that headers may take, so long. */
const headersMs = 1_500;
/** Shortens the time for headers until it is disposed: the other tests keep the service's own. */
function shortHeaders(): Disposable {
  const servers = [server, staging].map(({ app }) => app.server?.server ?? assert.fail());
  const before = servers.map(({ headersTimeout }) => headersTimeout);
  for (const one of servers) one.headersTimeout = headersMs;
  return {
    [Symbol.dispose]: () =>
      servers.forEach((one, index) => (one.headersTimeout = before[index] ?? assert.fail())),
  };
}

test('404 not-found: PRI without a version, which the parser accepts and the router does not know', async () => {
  const { answers } = await sendRaw(server, 'PRI /v1/meta\r\nHost: localhost\r\n\r\n', patienceMs);
  const [answer] = answers;
  assert.equal(answer?.status, 404);
  assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(JSON.parse(answer.body.toString()).request_id, answer.headers.get('x-request-id'));
});

test('a connection on which nothing was sent is closed without an answer', async () => {
  using _short = shortHeaders();
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
  let received = '';
  let closed = false;
  socket.on('data', (bytes) => (received += bytes.toString()));
  socket.on('error', () => undefined).on('close', () => (closed = true));
  await until('it is closed', () => closed);
  assert.equal(received, '');
});

for (const [what, text] of below) {
  test(`noindex on staging, and not elsewhere, below the framework: ${what}`, async () => {
    using _short = shortHeaders();
    // Longer than headers may take.
    const quietMs = 18_000;
    const [there, here] = await Promise.all([
      sendRaw(staging, text, quietMs),
      sendRaw(server, text, quietMs),
    ]);
    for (const exchange of [there, here])
      assertRefused(exchange, what === 'CONNECT' ? 'not-found' : 'invalid-request');
    assert.equal(there.answers[0]?.headers.get('x-robots-tag'), 'noindex');
    assert.equal(here.answers[0]?.headers.get('x-robots-tag') ?? null, null);
  });
}

test('a refusal below the framework keeps the request’s id where it was read', async () => {
  const { answers } = await sendRaw(
    server,
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: my-own-request-id\r\n\r\n',
  );
  assert.equal(answers[0]?.headers.get('x-request-id'), 'my-own-request-id');
});

test('200 for HTTP/1.0 without Host', async () => {
  const { answers } = await sendRaw(server, 'GET /healthz HTTP/1.0\r\n\r\n');
  assert.equal(answers[0]?.status, 200);
});

test('200 for the absolute form of an address whose host is that of the header Host', async () => {
  for (const [address, host] of [
    ['http://a/v1/meta', 'a'],
    ['HTTP://A:80/v1/meta?', 'a:80'],
    ['https://a/v1/meta', 'a'],
  ] as const) {
    const text = `GET ${address} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const { answers } = await sendRaw(server, text, patienceMs);
    assert.equal(answers[0]?.status, 200, address);
    assert.match(answers[0]?.body.toString() ?? '', /"interface_version"/, address);
  }
  const old = await sendRaw(server, 'GET http://a/healthz HTTP/1.0\r\n\r\n', patienceMs);
  assert.equal(old.answers[0]?.status, 200);
});

test('an absolute form without a path is the front page, with or without a redirect', async () => {
  const { hostname, port } = new URL(server.baseUrl);
  const other = `${hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}`;
  for (const [path, target] of [
    ['', '/'],
    ['?a=b', '/?a=b'],
    ['/topics', '/topics'],
  ] as const) {
    const text = `GET http://${other}${path} HTTP/1.1\r\nHost: ${other}\r\nConnection: close\r\n\r\n`;
    const { answers } = await sendRaw(server, text, patienceMs);
    assert.equal(answers[0]?.status, 307, path);
    assert.equal(answers[0]?.headers.get('location'), `${server.baseUrl}${target}`);
  }
});

test('200 in order for many requests on one connection', async () => {
  const one = (n: number) =>
    `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: request-${n}\r\n\r\n`;
  const { answers } = await sendRaw(server, Array.from({ length: 20 }, (_, n) => one(n)).join(''));
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('x-request-id')),
    Array.from({ length: 20 }, (_, n) => `request-${n}`),
  );
});
