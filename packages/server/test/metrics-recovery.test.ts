// GET /metrics after its part could not be loaded: the next request loads it.
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { after, test } from 'node:test';
import { assertProblem, startServer } from './harness.ts';

let failing = true;
// As when the process has no file descriptor left, or the disk cannot be read.
registerHooks({
  load: (url, context, next) => {
    if (failing && url.endsWith('/metrics/prometheus.ts'))
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    return next(url, context);
  },
});

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

test('503 unavailable while the part cannot be loaded, 200 as soon as it can', async () => {
  const refused = await server.ask('GET', '/metrics');
  assertProblem(refused, 'unavailable');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  failing = false;
  const served = await server.ask('GET', '/metrics');
  assert.equal(served.status, 200);
  assert.match(served.body, /colophon_pipeline_waiting/);
});
