// Tests of the watch over answers: it sees what every client is sent, and wrong ones fail.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { watchAnswers } from './watch-answers.ts';

const good = {
  'content-type': 'application/json',
  'x-request-id': 'request-1',
  'x-content-type-options': 'nosniff',
};

/** What the watch says of one answer to a path. */
async function saidOf(path: string, body: string, headers: Record<string, string> = good) {
  const server = createServer((_, response) => {
    response.writeHead(200, headers);
    response.write(body.slice(0, 3));
    response.end(body.slice(3));
  });
  // As Fastify does, the headers are set one by one.
  server.prependListener('request', (_, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  });
  const watch = watchAnswers(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  await new Promise((resolve) => server.close(resolve));
  return watch.assertRight;
}

test('an answer that the contract describes is right; one of another shape is not, for sessions too', async () => {
  const name = '/v1/events';
  const page = JSON.stringify({ items: [], next_cursor: null });
  (await saidOf('/v1/articles?limit=1', page))();
  for (const path of ['/v1/articles', '/-/v1/articles'])
    assert.throws(await saidOf(path, JSON.stringify({ items: 'none' })), /listArticles/);
  assert.throws(await saidOf(name, page, { 'content-type': 'application/json' }), /X-Request-Id/);
});

test('pages and long answers are not looked at', async () => {
  (await saidOf('/v1/articles', `"${'x'.repeat(300_000)}"`))();
  (await saidOf('/@ada', '"a page"'))();
});
