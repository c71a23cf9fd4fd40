// Signing out everywhere while a link opens a session: no session is left.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { blockedByLock, untilWaiting } from '../blocked-by-lock.ts';
import { assertProblem, startServer } from '../harness.ts';
import type { Response, TestServer } from '../harness.ts';
import { openBrowser } from '../web-session.ts';
import type { TestBrowser } from '../web-session.ts';

let server: TestServer;
before(async () => {
  server = await startServer({ ROLE: 'web' });
});
after(() => server[Symbol.asyncDispose]());

const secretOf = ({ body }: Response) => new URL(body.url).hash.slice(1);
const openLink = (browser: TestBrowser, secret: string) =>
  browser.ask('POST', '/-/link', { body: { secret } });

test('a session that a link opens while its owner signs out everywhere ends too', async () => {
  const human = await server.register();
  const link = async () =>
    secretOf(await server.ask('POST', '/v1/web-links', { token: human.token, body: {} }));
  const [browser, stranger] = [openBrowser(server), openBrowser(server)];
  assert.equal((await openLink(stranger, await link())).status, 200);
  // Opening a link ends the session of the browser, which is locked: the link is used and its session is not yet there.
  const atTheSession = sql`
    select id from sessions where bucket = ${bucketOf(human.id)} and principal_id = ${human.id} for update`;
  assert.equal((await openLink(browser, await link())).status, 200);
  const secret = await link();
  const opening = () => openLink(stranger, secret);
  let ending: Promise<Response> | undefined;
  const [opened] = await blockedByLock(server, atTheSession, [opening], async () => {
    ending = browser.ask('DELETE', '/-/sessions');
    await untilWaiting(server, 1, 'delete%from%web_links');
  });
  assert.equal(opened?.status, 200);
  assert.equal((await ending)?.status, 204);
  assertProblem(await stranger.ask('GET', '/-/v1/me'), 'unauthenticated');
});
