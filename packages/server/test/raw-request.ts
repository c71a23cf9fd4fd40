// Requests written by hand, for what no client library would send, and for bytes that it would decode.
import assert from 'node:assert/strict';
import { problems } from '@colophon/contract';
import type { ProblemName } from '@colophon/contract';
import { exchange } from './bad-input/raw-socket.ts';
import type { Exchange, RawAnswer } from './bad-input/raw-socket.ts';
import type { TestServer } from './harness.ts';

/** Sends the text as Latin-1 on a connection of its own and reads until either side is done. */
export function sendRaw(server: TestServer, text: string, quietMs = 300): Promise<Exchange> {
  const port = Number(new URL(server.baseUrl).port);
  const bodiless = text.startsWith('HEAD ');
  return exchange(port, {
    parts: [Buffer.from(text, 'latin1')],
    ending: 'close',
    bodiless,
    quietMs,
  });
}

/** The one answer to a GET with these headers, its body as it is on the wire. */
export async function getRaw(
  server: TestServer,
  path: string,
  headers: readonly string[] = [],
): Promise<RawAnswer> {
  const head = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''];
  const { answers } = await sendRaw(server, head.join('\r\n'), 5_000);
  assert.equal(answers.length, 1);
  return answers[0] as RawAnswer;
}

/** One answer that is this problem, and nothing after it: the connection is over. */
export function assertRefused(
  { answers, rest, closedByServer }: Exchange,
  name: ProblemName,
): void {
  assert.equal(answers.length, 1);
  assert.equal(rest.length, 0);
  assert.ok(closedByServer, 'the connection ends');
  const [answer] = answers;
  const told = JSON.parse(answer?.body.toString() ?? '') as Record<string, unknown>;
  assert.equal(String(told['type']).split('/').at(-1), name, JSON.stringify(told));
  assert.equal(answer?.status, problems[name].status);
  assert.equal(told['status'], answer.status);
  assert.ok(String(told['detail']).length > 10);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.match(answer.headers.get('x-request-id') ?? '', /^[\w.~-]{8,64}$/);
  assert.equal(told['request_id'], answer.headers.get('x-request-id'));
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
}
