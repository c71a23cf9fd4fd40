// Bodies in chunks of a byte, of which one read of the socket contains thousands: how many are parsed and kept
// before they are refused, even if nothing reads the body yet.
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
/** Those in the read of the socket in which they become too many, and one more read. */
const parsedMost = (2 * 65_536) / '1\r\na\r\n'.length;

type Push = IncomingMessage['push'];

/** Counts the pieces of bodies that are parsed, and those that are kept for somebody to read. */
function countPieces() {
  const counted = { parsed: 0, kept: 0, [Symbol.dispose]: () => unsubscribe(channel, watch) };
  const channel = 'http.server.request.start';
  const counting = (count: 'parsed' | 'kept', push: Push): Push => {
    return (piece: unknown, encoding) => {
      if (piece !== null) counted[count] += 1;
      return push(piece, encoding);
    };
  };
  const watch = (event: unknown) => {
    const { request } = event as { readonly request: IncomingMessage };
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

const host = 'Host: localhost\r\n';
const by = `${host}Authorization: Bearer ${token}\r\n`;
const json = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const write = `POST /v1/articles HTTP/1.1\r\n${by}Idempotency-Key: ${crypto.randomUUID()}\r\n${json}`;

for (const [what, head, statuses] of [
  ['body', write, [400]],
  ['body without a token', `POST /v1/articles HTTP/1.1\r\n${host}${json}`, [401]],
  ['body that nothing reads', `GET /v1/meta HTTP/1.1\r\n${host}${json}`, [200]],
  [
    'body behind requests that wait',
    `GET /v1/events?wait=1 HTTP/1.1\r\n${by}\r\n`.repeat(8) + write.replace(/(?<=Key: )./, 'x'),
    [...Array.from({ length: 8 }, () => 200), 400],
  ],
] as const) {
  test(`of a ${what} in pieces of a byte only as many are kept as a body may have`, async () => {
    using counted = countPieces();
    const { answers, rest, closedByServer } = await exchange(Number(new URL(server.baseUrl).port), {
      parts: [Buffer.from(head + '1\r\na\r\n'.repeat(200_000))],
      ending: 'close',
      bodiless: false,
      quietMs: 3_000,
    });
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
