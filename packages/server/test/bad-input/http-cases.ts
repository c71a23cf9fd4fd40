// Generated messages that are HTTP or nearly so, as bytes.
import fc from 'fast-check';
import type { Send } from './raw-socket.ts';
import { oddParameters, oddSegments } from './odd-values.ts';

export interface Message {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly newline: string;
}

export interface Target {
  readonly articleId: string;
  readonly token: string;
}

export type MakeSend = (target: Target) => Send;

const articleBody = JSON.stringify({ title: 'Raw', content: 'Raw *text*.' });

/** Sound messages to start from. */
function soundMessages({ articleId, token }: Target): readonly Message[] {
  const host = 'Host: localhost';
  const bearer = `Authorization: Bearer ${token}`;
  const json = ['Content-Type: application/json', `Content-Length: ${articleBody.length}`];
  const key = `Idempotency-Key: ${crypto.randomUUID()}`;
  const chunk = `${articleBody.length.toString(16)}\r\n${articleBody}\r\n0\r\n\r\n`;
  const crlf = '\r\n';
  return [
    { line: `GET /v1/articles/${articleId} HTTP/1.1`, headers: [host], body: '', newline: crlf },
    { line: 'GET /v1/articles?limit=1 HTTP/1.1', headers: [host, bearer], body: '', newline: crlf },
    { line: 'POST /v1/articles?dry_run=true HTTP/1.1', headers: [host, bearer, key, ...json], body: articleBody, newline: crlf },
    { line: 'POST /v1/articles?dry_run=true HTTP/1.1', headers: [host, bearer, key, 'Content-Type: application/json', 'Transfer-Encoding: chunked'], body: chunk, newline: crlf },
    { line: 'HEAD /v1/meta HTTP/1.1', headers: [host], body: '', newline: crlf },
    { line: 'OPTIONS /v1/articles HTTP/1.1', headers: [host, 'Origin: https://example.org', 'Access-Control-Request-Method: POST'], body: '', newline: crlf },
    { line: 'GET /errors/conflict HTTP/1.1', headers: [host, 'Accept: text/markdown'], body: '', newline: crlf },
    { line: 'DELETE /v1/tokens/00000000000000000000000000 HTTP/1.1', headers: [host, bearer], body: '', newline: crlf },
  ];
}

const methods = ['GET', 'get', 'G3T', 'GET\t', '', 'G\x00T', 'CONNECT', 'TRACE', 'PRI', 'PROPFIND', 'QUERY', 'X'.repeat(5000), 'GÉT', 'POST', 'PUT', 'BREW', 'SOURCE', 'M-SEARCH', 'LINK', '"GET"'];
const targets = [
  '*', '/', '//', 'localhost:80', 'http://localhost/v1/meta', 'http://evil.example/v1/articles?limit=1', 'HTTP://LOCALHOST/v1/meta', 'ftp://a/b', 'http://', 'http:///', 'javascript:1', '', ' ', '/a b', '/\x00', '/\x7f', '/\xff\xfe', '/%', '/%00', '/%2e%2e/%2e%2e/etc/passwd',
  '/../../etc/passwd', '/v1/../v1/meta', '/v1//meta', '/v1/meta/', '/V1/meta', '/v1/meta;x=1', '/v1/meta?', '/v1/meta?\xff', '/v1/meta#frag', '/v1/meta%3Fx', '\\v1\\meta', '/v1/articles?cursor=\xe9', '/v1/articles/%F0%9F%98%80', `/${'a'.repeat(15_000)}`, `/${'a/'.repeat(7_000)}`, `/v1/meta?${'a=1&'.repeat(3_900)}`, '/v1/errors/%C0%80', '?', '#', '/?__proto__=1',
  ...oddSegments.map((segment) => `/v1/articles/${segment}`), ...oddParameters.map((value) => `/v1/articles?since=${value}`),
];
const versions = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/3', 'HTTP/1.1 ', 'http/1.1', 'HTTP/1.1\x00', 'HTTP/11', 'HTTP/1', 'HTTPS/1.1', '', 'HTTP/-1.1', 'HTTP/1.1 x', 'ICE/1.0', 'RTSP/1.0', 'HTTP/99999999999.1'];
const headerLines = [
  'Host: localhost', 'Host:', 'Host: a b', 'Host: a,b', 'Host: http://x/', 'Host: [::1]:80', 'Host: [::1', 'Host: x:99999999', 'Host: x:y', 'Host: user@x', 'Host: \x00', 'Host: é', 'Host : x', 'host: y', `Host: ${'a'.repeat(10_000)}`,
  'Content-Length: 0', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length: +5', 'Content-Length: 5, 5', 'Content-Length: 5, 6', 'Content-Length: 0x5', 'Content-Length: 1e3', 'Content-Length: 99999999999999999999', 'Content-Length: 9007199254740993', 'Content-Length: ', 'Content-Length: 5 5', 'Content-Length: 1000000', 'Content-Length: 70000', 'Content-Length: 9000000',
  'Transfer-Encoding: chunked', 'Transfer-Encoding: Chunked', 'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: chunked, gzip', 'Transfer-Encoding: chunked, chunked', 'Transfer-Encoding: identity', 'Transfer-Encoding: xchunked', 'Transfer-Encoding : chunked', 'Transfer-Encoding:\tchunked', 'Transfer-Encoding: chunked\x0b', 'Transfer-Encoding:', 'Transfer-Encoding: "chunked"', 'Transfer-encoding: \x00chunked',
  'Content-Encoding: gzip', 'Content-Encoding: identity', 'Content-Type: text/plain', 'Content-Type: application/json; charset=utf-7', 'Content-Type: ', 'Content-Type: \xff', 'Content-Type: application/json', 'Content-Type: application/json, application/json',
  'Expect: 100-continue', 'Expect: 200-ok', 'Expect: 100-continue, 100-continue', 'Expect:', 'Connection: close', 'Connection: keep-alive', 'Connection: upgrade', 'Connection: close, keep-alive, host', 'Connection: transfer-encoding', 'Upgrade: h2c', 'Upgrade: websocket', 'HTTP2-Settings: AAMAAABkAAQAAP__', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Authorization: Bearer x', 'Authorization:', 'Authorization: Basic \xff', `Authorization: Bearer ${'a'.repeat(9_000)}`, 'X-Request-Id: fine-request-id-1', 'X-Request-Id: a\tb', 'X-Request-Id: \x00', 'X-Request-Id:', `X-Request-Id: ${'x'.repeat(5_000)}`,
  'Idempotency-Key: short', 'Idempotency-Key: another-key-of-some-length', 'If-Match: "a"', 'If-Match: *', 'If-None-Match: *', `If-None-Match: ${'"",'.repeat(3_000)}`, 'Accept-Encoding: gzip;q=x, *;q=0', 'Accept: ,,,;q', 'Range: bytes=0-', 'Trailer: Host', 'TE: trailers, deflate;q=0.5', 'Keep-Alive: timeout=99999', 'Via: 1.1 x', 'Max-Forwards: 0', 'Cookie: a=b; __proto__=1', 'X-Forwarded-Host: evil', 'Forwarded: for=x',
  'No colon here', ': no name', ' folded: line', '\tfolded', 'Bad Name: x', 'Bäd: x', 'X\x00Y: z', 'X: \x00', 'X: \x7f', 'X: a\rb', 'X: a\nb', `X: ${'x'.repeat(15_000)}`, `X: ${'x'.repeat(20_000)}`, `${'N'.repeat(17_000)}: x`, `(): x`, 'X: \u001b[31m', '__proto__: x', 'constructor: y', 'toString: z',
  ...['a', 'b'].map((name) => `${name}: 1\r\n`.repeat(1_500).slice(0, -2)),
];
const bodies = ['', '{}', '{', 'x', '\x00', '5\r\nhello\r\n0\r\n\r\n', '5\r\nhel', 'zz\r\nhello\r\n0\r\n\r\n', '-1\r\n\r\n', 'ffffffffffffffffff\r\n', '0\r\n\r\n', '0\r\nHost: x\r\n\r\n', '0\r\nbad trailer\r\n\r\n', `5;${'e'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`, '5\nhello\n0\n\n', '5 \r\nhello\r\n0\r\n\r\n', '05\r\nhello\r\n00\r\n\r\n', '\r\n', '\r\n\r\n', 'a'.repeat(70_000), articleBody + articleBody];
const garbage = ['GARBAGE\r\n\r\n', '\x00\x01\x02\x03', '\r\n\r\n\r\n', 'GET', 'GET / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 'HTTP/1.1 200 OK\r\n\r\n', '{"a":1}', 'POST /v1/articles HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{}', '\x16\x03\x01', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'];
const wholes = [
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x00\x00\x00\x00', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00', 'SSH-2.0-x\r\n', 'EHLO x\r\n', '\x05\x01\x00', '\x00'.repeat(200), '\xff'.repeat(200), '\r\n', '\n\n\n', ' ', 'GET /\r\n', 'GET / HTTP/1.1', 'GET / HTTP/1.1\r\n', 'GET / HTTP/1.1\r\nHost: x',
  'GET / HTTP/1.1\nHost: x\n\n', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\nX-Request-Id: \xff\r\n\r\n\x16\x03\x01', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 'OPTIONS http://x HTTP/1.1\r\nHost: x\r\n\r\n', 'OPTIONS /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n', 'TRACE / HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /v1/meta HTTP/1.1\r\n\r\n', 'GET /v1/meta HTTP/1.0\r\n\r\n', 'GET /v1/meta HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n', 'GET /v1/meta HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x05hello',
  'GET /v1/meta HTTP/1.1\r\nHost: x\r\nExpect: 300-x\r\n\r\n', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, `${'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50)}`,
];

type Change = (message: Message) => Message;

function lineWith(place: 0 | 1 | 2, part: string): Change {
  return (message) => ({ ...message, line: message.line.split(' ').map((word, index) => (index === place ? part : word)).join(' ') });
}

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...methods).map((part) => lineWith(0, part)) },
  { weight: 3, arbitrary: fc.constantFrom(...targets).map((part) => lineWith(1, part)) },
  { weight: 1, arbitrary: fc.constantFrom(...versions).map((part) => lineWith(2, part)) },
  { weight: 5, arbitrary: fc.constantFrom(...headerLines).map((header): Change => (message) => ({ ...message, headers: [...message.headers, header] })) },
  { weight: 2, arbitrary: fc.tuple(fc.nat({ max: 5 }), fc.constantFrom(...headerLines)).map(([place, header]): Change => (message) => ({ ...message, headers: message.headers.map((one, index) => (index === place % message.headers.length ? header : one)) })) },
  { weight: 1, arbitrary: fc.nat({ max: 5 }).map((place): Change => (message) => ({ ...message, headers: message.headers.filter((_, index) => index !== place % message.headers.length) })) },
  { weight: 1, arbitrary: fc.nat({ max: 5 }).map((place): Change => (message) => ({ ...message, headers: [...message.headers, message.headers[place % message.headers.length] ?? 'X: y'] })) },
  { weight: 1, arbitrary: fc.constantFrom(...bodies).map((body): Change => (message) => ({ ...message, body })) },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '\r\r\n', '\n\r').map((newline): Change => (message) => ({ ...message, newline })) },
);

function bytesOf({ line, headers, body, newline }: Message): Buffer {
  return Buffer.from([line, ...headers, '', body].join(newline), 'latin1');
}

const byteChange = fc.tuple(fc.nat(), fc.nat({ max: 255 }), fc.boolean()).map(([place, byte, insert]) => (bytes: Buffer) => {
  const at = place % Math.max(bytes.length, 1);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(insert ? at : at + 1)]);
});

/** Bytes after a sound request: garbage, another request, or nothing. */
const follower = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...garbage) });
const ending = fc.oneof({ weight: 9, arbitrary: fc.constant('close' as const) }, { weight: 1, arbitrary: fc.constant('reset' as const) });

/** A message with one to three faults, perhaps cut into two writes, followed by something, ended in some way. */
const broken: fc.Arbitrary<MakeSend> = fc
  .tuple(fc.nat({ max: 7 }), fc.array(change, { maxLength: 3 }), fc.array(byteChange, { maxLength: 2 }), follower, ending, fc.nat({ max: 200 }))
  .map(([which, changes, byteChanges, after, end, split]): MakeSend => (target) => {
    const message = changes.reduce((so, next) => next(so), soundMessages(target)[which] as Message);
    const bytes = byteChanges.reduce((so, next) => next(so), bytesOf(message));
    const whole = Buffer.concat([bytes, Buffer.from(after, 'latin1')]);
    return { parts: [whole.subarray(0, split), whole.subarray(split)], ending: end, bodiless: /^\s*HEAD /.test(whole.toString('latin1', 0, 9)) };
  });

const odd: fc.Arbitrary<MakeSend> = fc.tuple(fc.constantFrom(...wholes), ending).map(([text, end]): MakeSend => () => ({ parts: [Buffer.from(text, 'latin1')], ending: end, bodiless: false }));
const random: fc.Arbitrary<MakeSend> = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes): MakeSend => () => ({ parts: [Buffer.from(bytes)], ending: 'close', bodiless: false }));

export const brokenMessage: fc.Arbitrary<MakeSend> = fc.oneof({ weight: 12, arbitrary: broken }, { weight: 2, arbitrary: odd }, { weight: 1, arbitrary: random });
