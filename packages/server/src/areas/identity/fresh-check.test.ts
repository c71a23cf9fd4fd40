// What outlasts a session needs a passkey check when a session's caller does it; a token needs none.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ordinaryScopes } from '@colophon/contract';
import { sql } from '#database';
import type { Tx } from '#database';
import type { Caller } from '#http';
import { isProblem } from '#http';
import { bucketOf } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { freshKey, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { freshKeyPair } from '#test/key-pairs';
import { aNonce, registrationOf } from '#test/registered-keys';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';
import { requireFreshCheck } from './service/checks.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** The caller of the session of a browser, as pages pass it to `invoke`. */
async function callerOf(
  browser: TestBrowser,
  id: string,
  username: string,
  checkedAt: string | null,
): Promise<Caller> {
  const { body } = await browser.ask('GET', '/-/sessions');
  const { id: sessionId } = body.items.find(({ current }: { current: boolean }) => current);
  return {
    id,
    bucket: bucketOf(id),
    kind: 'human',
    username,
    ownerId: null,
    trustLevel: 0,
    suspended: false,
    scopes: ordinaryScopes,
    token: null,
    session: { id: sessionId, checkedAt },
  };
}

async function person(checkedAt: string | null) {
  const browser = openBrowser(server);
  const { username } = await browser.join();
  const { body } = await server.ask('GET', `/v1/usernames/${username}`);
  return { browser, id: body.id, caller: await callerOf(browser, body.id, username, checkedAt) };
}

/** Somebody who registered through the API and came by a link, without a passkey. */
async function visitor() {
  const human = await server.register();
  const { body } = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
  const browser = openBrowser(server);
  await browser.ask('POST', '/-/link', { body: { secret: new URL(body.url).hash.slice(1) } });
  return { human, caller: await callerOf(browser, human.id, human.username, null) };
}

const acts = {
  issueToken: (caller: Caller) =>
    server.app.invoke('issueToken', {
      caller,
      params: {},
      body: { principal_id: caller.id, name: 'a token' },
      idempotencyKey: freshKey(),
    }),
  createWebLink: (caller: Caller) => server.app.invoke('createWebLink', { caller, params: {} }),
  registerKey: async (caller: Caller) => {
    const agent = await storeAgent(server, { ...caller, token: '' });
    const nonce = await aNonce(server, agent.id, agent.token);
    const body = registrationOf(server, agent.id, freshKeyPair(), nonce);
    return server.app.invoke('registerKey', { caller, params: { id: agent.id }, body });
  },
  closePrincipal: (caller: Caller) =>
    server.app.invoke('closePrincipal', {
      caller,
      params: { id: caller.id },
      body: { confirm: 'close', articles: 'pseudonymise' },
      idempotencyKey: freshKey(),
    }),
} as const;

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => assert.fail('accepted'),
    (refused: unknown) => refused,
  );
  assert.ok(isProblem(error), String(error));
  return error;
}

for (const [name, act] of Object.entries(acts)) {
  test(`${name}: a session needs a passkey check of the last ten minutes`, async () => {
    for (const checkedAt of [null, minutesAgo(10)]) {
      const { caller } = await person(checkedAt);
      const { problem, members, message } = await refusalOf(act(caller));
      assert.deepEqual([problem, members['passkey_check']], ['forbidden', true]);
      assert.match(message, /within 10 minutes/);
    }
    const { caller } = await person(minutesAgo(9));
    assert.ok([200, 201].includes((await act(caller)).status));
  });

  test(`${name}: an account without a passkey adds one first`, async () => {
    const { caller } = await visitor();
    const { problem, members, message } = await refusalOf(act(caller));
    assert.deepEqual([problem, members['passkey_check']], ['forbidden', undefined]);
    assert.match(message, /Add a passkey first/);
  });

  test(`${name}: a session that was ended meanwhile does nothing`, async () => {
    const { caller, browser } = await person(minutesAgo(1));
    assert.equal((await browser.ask('DELETE', '/-/sessions')).status, 204);
    assert.equal((await refusalOf(act(caller))).problem, 'unauthenticated');
  });
}

test('a refusal leaves nothing behind', async () => {
  const { caller } = await person(null);
  for (const act of [acts.issueToken, acts.createWebLink, acts.closePrincipal])
    await refusalOf(act(caller));
  const rows = await server.db.rows(sql`
    select id from tokens where bucket = ${caller.bucket} and principal_id = ${caller.id}
    union all
    select principal_id from web_links where bucket = ${caller.bucket} and principal_id = ${caller.id}
    union all
    select id from principals
    where bucket = ${caller.bucket} and id = ${caller.id} and status = 'closed'`);
  assert.deepEqual(rows, []);
});

test('a token needs no check, and costs no statement', async () => {
  const { caller } = await person(null);
  const withToken = { ...caller, session: null, token: { id: caller.id, expiresAt: null } };
  const untouched = new Proxy({} as Tx, { get: () => assert.fail('a statement') });
  await requireFreshCheck(untouched, withToken, new Date());
});
