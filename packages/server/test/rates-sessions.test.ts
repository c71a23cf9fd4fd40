// The short-window limits of cookies: one of no open session costs a look-up, so it is counted as a bad token is.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mintSecret } from '#lib/bucket-secret';
import { assertProblem } from './harness.ts';
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

test('cookies of no session are counted for their address; then none from there is looked up', async () => {
  const browser = openBrowser(server);
  await browser.join();
  const forged = () =>
    server.ask('GET', '/-/v1/me', {
      headers: { ...from('203.0.113.1'), cookie: `colophon_session=${mintSecret(7).text}` },
    });
  for (let count = 0; count < reads; count += 1) assertProblem(await forged(), 'unauthenticated');
  assertProblem(await forged(), 'rate-limited');
  const ask = (address: string) => browser.ask('GET', '/-/v1/me', { headers: from(address) });
  assertProblem(await ask('203.0.113.1'), 'rate-limited');
  assert.equal((await ask('203.0.113.2')).status, 200, 'elsewhere the session goes on');
});
