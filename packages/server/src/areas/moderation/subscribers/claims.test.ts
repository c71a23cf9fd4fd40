// Claims of former moderators end at the next minute; those of moderators stay.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { setPrincipalStatus } from '#test/accounts';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { moderator, read, report, review } from '#test/reports';
import { quiet } from '#test/throw-away-database';
import { releaseClaims } from './claims.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const changeTokens = (human: Human, change: ReturnType<typeof sql>) =>
  server.db.transaction((tx) =>
    tx.run(sql`
      update tokens set ${change}
      where bucket = ${bucketOf(human.id)} and principal_id = ${human.id}`),
  );

const ends: Readonly<Record<string, (human: Human) => Promise<unknown>>> = {
  'is suspended': ({ id }) => setPrincipalStatus(server, id, 'suspended'),
  'is closed': ({ id }) => setPrincipalStatus(server, id, 'closed'),
  'has no valid token': (human) => changeTokens(human, sql`revoked_at = now()`),
  'has a token that has expired': (human) =>
    changeTokens(human, sql`expires_at = now() - interval '1 second'`),
  'has a token without the scope': (human) =>
    changeTokens(human, sql`scopes = array_remove(scopes, 'admin:moderate')`),
};

test('the claim of a moderator stays, and that of one who is none any more ends', async () => {
  const [mod, colleague] = [await moderator(server), await moderator(server)];
  const kept = await report(server);
  assert.equal((await review(server, mod, kept, { status: 'reviewing' })).status, 200);
  const former: string[] = [];
  for (const end of Object.values(ends)) {
    const gone = await moderator(server);
    const id = await report(server);
    assert.equal((await review(server, gone, id, { status: 'reviewing' })).status, 200);
    await end(gone);
    former.push(id);
  }
  const reject = (id: string) => review(server, colleague, id, { status: 'rejected' });
  for (const id of [kept, ...former]) assert.equal((await reject(id)).status, 409);
  for (let times = 1; times <= 2; times += 1)
    await releaseClaims.run({ db: server.db, log: quiet, now: () => new Date() });
  for (const [at, id] of former.entries()) {
    const what = Object.keys(ends)[at] ?? '';
    assert.equal((await read(server, colleague, id)).body.status, 'open', what);
    assert.equal((await reject(id)).status, 200, what);
  }
  assert.equal((await reject(kept)).status, 409);
  assert.equal((await review(server, mod, kept, { status: 'rejected' })).status, 200);
});
