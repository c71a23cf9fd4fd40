// How often signing in, and reading proofs of the log, wait for the database, counted on the wire.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startLog } from '#log';
import { keyOf } from '#lib/id';
import { openLogFiles } from '#storage';
import { collectArticles } from '../src/areas/log/service/collect-articles.ts';
import { integrate } from '../src/areas/log/service/integrate.ts';
import { startCounted } from './counted-server.ts';
import { quiet } from './throw-away-database.ts';
import { openBrowser } from './web-session.ts';

const roundTripsMax = 3;

const { server, proxy, ...counted } = await startCounted();
after(() => counted[Symbol.asyncDispose]());

test(`signing in with a passkey waits for the database ${roundTripsMax} times at most`, async () => {
  const { passkey } = await openBrowser(server).join();
  // The first times open the connections and prepare the statements.
  for (let time = 0; time < 4; time += 1) await openBrowser(server).signIn(passkey);
  const { roundTrips } = await proxy.count(async () => {
    assert.equal((await openBrowser(server).signIn(passkey)).status, 200);
  });
  assert.ok(roundTrips <= roundTripsMax, `${roundTrips} round trips`);
});

/** Publishes an article and puts it in the log, which this process does not do by itself. */
async function aLoggedArticle(): Promise<string> {
  const { db, services } = server;
  const { id, revision_id } = await server.published(await server.register());
  await using files = await openLogFiles(services.config.mediaStore);
  await startLog(services);
  await collectArticles([keyOf(id)], services);
  const state = { published: undefined, pauses: new Map<string, number>() };
  await integrate({ ...services, db, files, log: quiet }, state, async () => true);
  return `/v1/articles/${id}/revisions/${revision_id}/proof`;
}

test('a proof with its part of the log waits for the database twice, /v1/meta not at all', async () => {
  const path = await aLoggedArticle();
  for (let time = 0; time < 4; time += 1) {
    assert.notEqual((await server.ask('GET', path)).body.log, null);
    assert.notEqual((await server.ask('GET', '/v1/meta')).body.log, null);
  }
  const proof = await proxy.count(async () => {
    assert.equal((await server.ask('GET', path)).status, 200);
  });
  assert.ok(proof.roundTrips <= 2, `${proof.roundTrips} round trips`);
  const meta = await proxy.count(async () => {
    assert.equal((await server.ask('GET', '/v1/meta')).status, 200);
  });
  assert.equal(meta.roundTrips, 0);
});
