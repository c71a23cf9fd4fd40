// The short-window limits of credentials: to look one up costs the same at the description of the API, which is not
// an operation, and in a cookie.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mintSecret } from '#lib/bucket-secret';
import { assertProblem, freshName } from './harness.ts';
import type { Asked } from './harness.ts';
import { startLimitedServer } from './limits-file.ts';
import { stillClock } from './still-clock.ts';
import { openBrowser } from './web-session.ts';

stillClock();

const reads = 5;
const server = await startLimitedServer(
  { rates: { reads_per_minute: reads } },
  { TRUSTED_PROXIES: '127.0.0.1, ::1' },
);
after(() => server[Symbol.asyncDispose]());

const from = (address: string) => ({ 'x-forwarded-for': address });
const ask = (asked: Asked) => server.ask('GET', '/v1/openapi.json', asked);

async function register(): Promise<string> {
  const { body } = await server.ask('POST', '/v1/humans', { body: { username: freshName() } });
  return body.token as string;
}

test('bad tokens are counted for their address; then no token from there is looked up', async () => {
  const [good, headers] = [await register(), from('203.0.113.1')];
  for (let count = 0; count < reads; count += 1)
    assertProblem(await ask({ token: 'bad', headers }), 'unauthenticated');
  assertProblem(await ask({ token: 'bad', headers }), 'rate-limited');
  assertProblem(await ask({ token: good, headers }), 'rate-limited');
  assertProblem(await server.ask('GET', '/v1/me', { token: good, headers }), 'rate-limited');
  assert.equal((await ask({ headers })).status, 200, 'without a token nothing is looked up');
});

test('a good token counts for its owner, as a read', async () => {
  const token = await register();
  for (let count = 0; count < reads; count += 1)
    assert.equal((await ask({ token, headers: from(`203.0.113.${10 + count}`) })).status, 200);
  const headers = from('203.0.113.30');
  assertProblem(await ask({ token, headers }), 'rate-limited');
  assertProblem(await server.ask('GET', '/v1/me', { token, headers }), 'rate-limited');
});

test('cookies of no session are counted for their address; then none from there is looked up', async () => {
  const browser = openBrowser(server);
  await browser.join();
  const forged = () =>
    server.ask('GET', '/-/v1/me', {
      headers: { ...from('203.0.113.2'), cookie: `colophon_session=${mintSecret(7).text}` },
    });
  for (let count = 0; count < reads; count += 1) assertProblem(await forged(), 'unauthenticated');
  assertProblem(await forged(), 'rate-limited');
  const inSession = (address: string) => browser.ask('GET', '/-/v1/me', { headers: from(address) });
  assertProblem(await inSession('203.0.113.2'), 'rate-limited');
  assert.equal((await inSession('203.0.113.3')).status, 200, 'elsewhere the session goes on');
});
