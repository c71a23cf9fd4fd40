// A process without a free file descriptor opens no connection to its database: 503 until it has some, never 500.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, test } from 'node:test';
import { text as textOf } from 'node:stream/consumers';
import { limitDescriptors } from '../take-descriptors.ts';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

const connections = 24;
/** Fewer than any process has open: no further one can be opened. */
const fewest = 16;

let place: Place;
let server: ServerProcess;
// Connections that are open before the descriptors are used up.
const agent = new Agent({ keepAlive: true, maxSockets: connections });

before(async () => {
  place = await makePlace();
  server = place.start({ LIMITS: 'off' });
  await server.ready(place.baseUrl);
});

after(async () => {
  agent.destroy();
  server.kill('SIGTERM');
  await server.ended;
  await place[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

async function ask(method: string, path: string, body?: object, token = ''): Promise<Answer> {
  const sent = request(place.baseUrl + path, {
    method,
    agent,
    headers: {
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  sent.once('error', reject).once('response', (response) => {
    const { statusCode: status = 0, headers } = response;
    const retryAfter = headers['retry-after'];
    void textOf(response).then((text) => resolve({ status, retryAfter, text }), reject);
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

test('reads and writes without a descriptor for the database are refused, and work again with one', async (t) => {
  if (!limitDescriptors(4_096, server.pid)) {
    t.skip('prlimit is missing');
    return;
  }
  const joined = await ask('POST', '/v1/humans', { username: 'few-descriptors' });
  const { token } = JSON.parse(joined.text) as { readonly token: string };
  const write = (title: string) => ask('POST', '/v1/articles', { title, content: 'A' }, token);
  assert.equal((await write('First')).status, 201);
  await Promise.all(Array.from({ length: connections }, () => ask('GET', '/healthz')));
  assert.ok(limitDescriptors(fewest, server.pid));
  const owner = await place.connect();
  await owner.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await owner.end();
  const answers = await Promise.all(
    Array.from({ length: connections }, (_, nth) =>
      nth % 2 === 0 ? write(`Title ${nth}`) : ask('GET', `/v1/search?q=word${nth}`),
    ),
  );
  for (const { status, retryAfter, text } of answers) {
    assert.equal(status, 503, text);
    assert.ok(Number(retryAfter) > 0);
  }
  assert.ok(limitDescriptors(4_096, server.pid));
  await server.ready(place.baseUrl);
  assert.equal((await write('Last')).status, 201);
  assert.equal((await ask('GET', '/v1/search?q=last')).status, 200);
});
