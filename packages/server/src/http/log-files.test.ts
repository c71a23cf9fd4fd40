// GET /log/…: the checkpoint and the tiles, how long they are kept, and what is not a file of the log.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { unpackEntries } from '@colophon/tlog';
import { assertProblem, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { logUntil, readLog } from '#test/transparency-log';

let server: TestServer;
before(async () => {
  server = await startServer();
  const human = await server.register();
  for (let count = 0; count < 3; count += 1) await server.published(human);
  await logUntil(server, 'three publications', (all) => all.length === 3);
});
after(() => server[Symbol.asyncDispose]());

const get = (path: string, method = 'GET') => fetch(`${server.baseUrl}/log/${path}`, { method });

test('200 checkpoint: text, revalidated, open to any origin', async () => {
  const response = await get('checkpoint');
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-cache');
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  const [origin, size] = (await response.text()).split('\n');
  assert.deepEqual([origin, size], [`${new URL(server.baseUrl).host}/log`, '3']);
});

for (const path of ['tile/0/000.p/3', 'tile/entries/000.p/3']) {
  test(`200 ${path}: bytes, kept for ever`, async () => {
    const response = await get(path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/octet-stream');
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    const bytes = Buffer.from(await response.arrayBuffer());
    if (path.includes('entries')) assert.equal(unpackEntries(bytes)?.length, 3);
    else assert.equal(bytes.length, 96);
    const head = await get(path, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal((await head.arrayBuffer()).byteLength, 0);
  });
}

test('404 not-found: what is not a path of a tile, and tiles that the tree does not have', async () => {
  for (const path of [
    'tile/0/001',
    'tile/0/000.p/4',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/03',
    'tile/0/0',
    'tile/1/000.p/1',
    'tile/64/000',
    'tile/entries/x000/000',
    'tile/x/000',
    'tile/0/x999/x999/x999/x999/999',
    'tile/0/..%2f..%2fcheckpoint',
    'tile/0/%00',
  ])
    assertProblem(await server.ask('GET', `/log/${path}`), 'not-found');
});

test('404 not-found: only these paths, and only for reading', async () => {
  assertProblem(await server.ask('GET', '/log'), 'not-found');
  assertProblem(await server.ask('GET', '/log/key.pem'), 'not-found');
  assertProblem(
    await server.ask('GET', '/log/tile/0/x001/x001/x001/x001/x001/001.p/1'),
    'not-found',
  );
  const refused = await server.ask('DELETE', '/log/checkpoint');
  assertProblem(refused, 'not-found');
  assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS');
});

test('the checkpoint fits the tiles at any time while the log grows', async () => {
  const human = await server.register();
  let stopped = false;
  const reading = (async () => {
    for (let size = 0; !stopped;) {
      const { checkpoint } = await readLog(server);
      assert.ok(checkpoint.size >= size);
      size = checkpoint.size;
    }
  })();
  for (let count = 0; count < 20; count += 1) await server.published(human);
  await logUntil(server, 'all publications', (all) => all.length === 23);
  stopped = true;
  await reading;
});
