// Bodies in chunks of a byte, of which one read of the socket contains thousands: how many are parsed and kept
// before they are refused, even if nothing reads the body yet, and what happens to the connection.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import { exchange } from './bad-input/raw-socket.ts';
import { startServer } from './harness.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const { token } = await server.register();

/** The first piece too many is passed on. */
const keptMost = 4_096 + 4_096 / 256 + 1;
const piece = '1\r\na\r\n';
/** Those in the read of the socket in which they become too many, and one more read. */
const parsedMost = (2 * 65_536) / piece.length;
/** A header of the requests that are counted: the channel is that of the whole process. */
const mark = 'X-Counted';

type Push = IncomingMessage['push'];

/** Counts the pieces of bodies that are parsed, and those that are kept for somebody to read. */
function countPieces() {
  const counted = { parsed: 0, kept: 0, [Symbol.dispose]: () => unsubscribe(channel, watch) };
  const channel = 'http.server.request.start';
  const counting = (count: 'parsed' | 'kept', push: Push): Push => {
    return (one: unknown, encoding) => {
      if (one !== null) counted[count] += 1;
      return push(one, encoding);
    };
  };
  const watch = (event: unknown) => {
    const { request } = event as { readonly request: IncomingMessage };
    if (!request.rawHeaders.includes(mark)) return;
    let push = counting('kept', request.push.bind(request));
    Object.defineProperty(request, 'push', {
      get: () => push,
      set: (limited: Push) => {
        push = counting('parsed', limited);
      },
    });
  };
  subscribe(channel, watch);
  return counted;
}

/** Sends it all at once, and waits until the server closes the connection. */
const send = (text: string) =>
  exchange(Number(new URL(server.baseUrl).port), {
    parts: [Buffer.from(text)],
    ending: 'close',
    bodiless: false,
    quietMs: 60_000,
  });

const host = `Host: localhost\r\n${mark}: 1\r\n`;
const by = `${host}Authorization: Bearer ${token}\r\n`;
const json = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const write = () =>
  `POST /v1/articles HTTP/1.1\r\n${by}Idempotency-Key: ${crypto.randomUUID()}\r\n${json}`;
const withoutToken = `POST /v1/articles HTTP/1.1\r\n${host}${json}`;
const unread = `GET /v1/meta HTTP/1.1\r\n${host}${json}`;

for (const [what, head, statuses] of [
  ['body', write(), [400]],
  ['body without a token', withoutToken, [401]],
  ['body that nothing reads', unread, [200]],
  [
    'body behind requests that wait',
    `GET /v1/events?wait=1 HTTP/1.1\r\n${by}\r\n`.repeat(8) + write(),
    [...Array.from({ length: 8 }, () => 200), 400],
  ],
] as const) {
  test(`of a ${what} in pieces of a byte only as many are kept as a body may have`, async () => {
    using counted = countPieces();
    const { answers, rest, closedByServer } = await send(head + piece.repeat(200_000));
    assert.deepEqual(
      answers.map(({ status }) => status),
      statuses,
    );
    assert.equal(answers.at(-1)?.headers.get('connection'), 'close');
    assert.equal(rest.length, 0);
    assert.ok(closedByServer);
    assert.ok(counted.kept <= keptMost, `${counted.kept} kept`);
    assert.ok(counted.parsed <= parsedMost, `${counted.parsed} parsed`);
  });
}

const otherToken = token.replace(/.$/, (end) => (end === 'a' ? 'b' : 'a'));
// The database is asked for each caller: the answer is later than the end of the body.
for (const [what, head, status] of [
  ['that is read', write(), 400],
  ['of a token that does not exist', write().replace(token, otherToken), 401],
  ['that nothing reads', `GET /v1/me HTTP/1.1\r\n${by}${json}`, 200],
] as const) {
  test(`a body ${what} with too many pieces and an end closes its connection with the answer`, async () => {
    const { answers, closedByServer } = await send(`${head}${piece.repeat(5_000)}0\r\n\r\n`);
    // A later request on the connection would not be answered.
    assert.deepEqual(
      answers.map((answer) => [answer.status, answer.headers.get('connection')]),
      [[status, 'close']],
    );
    assert.ok(closedByServer);
  });
}
