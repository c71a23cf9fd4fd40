// How often signing in waits for the database, counted on the wire.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openCountingProxy } from './counting-proxy.ts';
import type { CountingProxy } from './counting-proxy.ts';
import { setup } from './global-setup.ts';
import { startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { openBrowser } from './web-session.ts';

const roundTripsMax = 3;

const named = process.env['COLOPHON_TEST_DATABASE'];
/** A file that is run alone starts a database for itself. */
const run = named === undefined ? await setup() : { env: {}, dispose: async () => undefined };

let proxy: CountingProxy;
let server: TestServer;
before(async () => {
  Object.assign(process.env, run.env);
  const connection = JSON.parse(process.env['COLOPHON_TEST_DATABASE'] ?? '');
  proxy = await openCountingProxy(connection);
  process.env['COLOPHON_TEST_DATABASE'] = JSON.stringify({ ...connection, host: proxy.host });
  // Without a pipeline, whose statements would be counted too.
  server = await startServer({ ROLE: 'web' });
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
  await run.dispose();
});

test(`signing in with a passkey waits for the database ${roundTripsMax} times at most`, async () => {
  const { passkey } = await openBrowser(server).join();
  // The first times open the connections and prepare the statements.
  for (let time = 0; time < 4; time += 1) await openBrowser(server).signIn(passkey);
  const { roundTrips } = await proxy.count(async () => {
    assert.equal((await openBrowser(server).signIn(passkey)).status, 200);
  });
  assert.ok(roundTrips <= roundTripsMax, `${roundTrips} round trips`);
});
