// A process without a free file descriptor opens no connection to its database: 503 until it has some, never 500.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { after, before, test } from 'node:test';
import { text as textOf } from 'node:stream/consumers';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

const connections = 24;

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

const limitDescriptors = (limit: number | string) =>
  spawnSync('prlimit', [`--pid=${server.pid}`, `--nofile=${limit}:`]).status;

test('reads and writes without a descriptor for the database are refused, and work again with one', async (t) => {
  if (limitDescriptors('4096') !== 0) {
    t.skip('prlimit is missing');
    return;
  }
  const joined = await ask('POST', '/v1/humans', { username: 'few-descriptors' });
  const { token } = JSON.parse(joined.text) as { readonly token: string };
  const write = (title: string) => ask('POST', '/v1/articles', { title, content: 'A' }, token);
  // Every connection of the clients is open, and the program is loaded.
  assert.equal((await write('First')).status, 201);
  await Promise.all(
    Array.from({ length: connections }, (_, nth) => ask('GET', `/v1/search?q=${nth}`)),
  );
  const { length: open } = readdirSync(`/proc/${server.pid}/fd`);
  assert.equal(limitDescriptors(open), 0);
  const answers: Answer[] = [];
  for (let round = 0; round < 4; round += 1) {
    const asked = Array.from({ length: connections }, (_, nth) =>
      nth % 2 === 0 ? write(`${round}-${nth}`) : ask('GET', `/v1/search?q=word${round}${nth}`),
    );
    answers.push(...(await Promise.all(asked)));
  }
  const refused = answers.filter(({ status }) => status >= 500);
  assert.ok(refused.length > 0, 'some requests found no descriptor');
  for (const { status, retryAfter, text } of refused) {
    assert.equal(status, 503, text);
    assert.ok(Number(retryAfter) > 0);
  }
  assert.equal(limitDescriptors('4096'), 0);
  assert.equal((await write('Last')).status, 201);
  assert.equal((await ask('GET', '/v1/search?q=last')).status, 200);
});
