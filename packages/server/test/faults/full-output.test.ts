// Standard output on a full disk: the server starts, serves, logs a bug and stops in order, and its log is lost.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makePlace, unkept } from './server-process.ts';
import type { Place } from './server-process.ts';

let place: Place;

before(async () => {
  place = await makePlace();
});
after(() => place[Symbol.asyncDispose]());

/** Loaded before the program: standard output becomes a device that is always full. */
const onFullDisk = `--import data:text/javascript,${encodeURIComponent(`
  import { closeSync, openSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) {
    closeSync(1);
    openSync('/dev/full', 'w');
    process.on('SIGWINCH', () => setImmediate(() => { throw new Error('a bug'); }));
  }`)}`;

test(
  'the server serves while no line of its log can be written',
  { timeout: 600_000 },
  async () => {
    const server = place.start({ NODE_OPTIONS: onFullDisk, LOG_LEVEL: 'debug' });
    await server.ready(place.baseUrl);
    for (let round = 0; round < 20; round += 1) {
      // Each is answered by a line of the log.
      server.kill('SIGUSR2');
      const answer = await fetch(`${place.baseUrl}/v1/articles`, { headers: unkept });
      await answer.arrayBuffer();
      assert.equal(answer.status, 200);
    }
    assert.deepEqual(server.log, []);
    server.kill('SIGTERM');
    assert.equal((await server.ended).code, 0, server.complaint());
  },
);

test('an error that no code handles ends it soon, with its log on a full disk', async () => {
  const server = place.start({ NODE_OPTIONS: onFullDisk });
  await server.ready(place.baseUrl);
  const began = performance.now();
  server.kill('SIGWINCH');
  assert.equal((await server.ended).code, 1);
  assert.ok(performance.now() - began < 9_000, 'it does not freeze');
});
