// GET /v1/meta over HTTP: the configuration of this deployment, from the same source as its checks.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { edgeKinds, limits, problemNames, quotaActions, scopes } from '@colophon/contract';
import { assertProblem, startServer } from '#test/harness';
import { scarce, startScarceServer } from '#test/limits-file';

const server = await startServer({
  DEPLOYMENT: 'staging',
  ERRORS_BASE_URL: 'https://errors.example.org/of',
});
after(() => server[Symbol.asyncDispose]());

test('200 with every list of values and every limit', async () => {
  const { status, body } = await server.ask('GET', '/v1/meta');
  assert.equal(status, 200);
  assert.equal(body.interface_version, 'v1');
  assert.equal(body.base_url, server.baseUrl);
  assert.deepEqual(body.scopes, scopes);
  assert.equal(body.scopes.length, 15);
  assert.deepEqual(body.problems, problemNames);
  assert.equal(body.problems.length, 18);
  assert.deepEqual(body.limits, limits);
  assert.deepEqual(Object.keys(body.cito), edgeKinds);
  assert.equal(body.cito.supersedes, 'http://purl.org/spar/cito/updates');
  assert.deepEqual(Object.keys(body.quotas), quotaActions);
  assert.deepEqual(body.enums.visibility, ['public', 'unlisted', 'private']);
  for (const [name, values] of Object.entries<string[]>(body.enums)) {
    assert.ok(values.length > 0 && new Set(values).size === values.length, name);
  }
});

test('200 names this deployment, and problems lead where it says', async () => {
  const { body } = await server.ask('GET', '/v1/meta');
  assert.equal(body.deployment, 'staging');
  assert.equal(body.registration, 'open');
  assert.equal(body.rates, null);
  const problem = await server.ask('GET', '/v1/nothing');
  assert.equal(problem.body.type, `${body.errors_base_url}/not-found`);
  assert.match((await server.register()).token, /^clps_/);
});

test('200 shows the numbers in force', async () => {
  await using limited = await startScarceServer();
  const { body } = await limited.ask('GET', '/v1/meta');
  assert.deepEqual(body.quotas['tokens.create'], {
    window: 'day',
    limits: [1_000_000, scarce, scarce, scarce],
  });
  assert.equal(body.quotas['revisions.create'].window, 'hour');
  assert.equal(body.rates.reads_per_minute, 1_000_000);
});

test('200 is kept by anybody; 304 for its tag', async () => {
  const { headers } = await server.ask('GET', '/v1/meta');
  assert.equal(
    headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  const asked = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
  assert.equal((await server.ask('GET', '/v1/meta', asked)).status, 304);
});

test('400 invalid-request and 401 unauthenticated', async () => {
  assertProblem(await server.ask('GET', '/v1/meta?verbose=1'), 'invalid-request');
  assertProblem(await server.ask('GET', '/v1/meta', { token: 'bad' }), 'unauthenticated');
});
