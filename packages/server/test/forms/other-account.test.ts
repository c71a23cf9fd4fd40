// Pages that stay open while another account signs in in the same browser: they act for no one else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { openBrowser } from '../web-session.ts';
import type { Joined, TestBrowser } from '../web-session.ts';
import { send, sendingOf } from './disguises.ts';
import { settle } from './people.ts';
import type { Inhabited } from './people.ts';
import { openRows } from './rows.ts';
import type { Rows } from './rows.ts';
import { formsOf, walk } from './walk.ts';
import type { MetForm } from './walk.ts';

let server: TestServer;
let people: Inhabited;
let rows: Rows;
/** One of each form, as its page shows it to the first account. */
let shown: readonly MetForm[];
/** Signed in later, in the same browser. */
let later: TestBrowser;
let joined: Joined;
before(async () => {
  server = await startServer();
  people = await settle(server);
  rows = await openRows(server);
  const { starts, browser } = people;
  const pages = await walk({ server, fetch: browser.page, starts, ofKind: 4 });
  shown = [...new Map(formsOf(pages).map((one) => [`${one.pattern} ${one.name}`, one])).values()];
  later = openBrowser(server);
  joined = await later.join();
});
after(async () => {
  await rows[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

test('401 for every form of a page of another account, which changes nothing', async () => {
  assert.ok(shown.length > 20);
  const unchanged = await rows.state();
  for (const form of shown) {
    const place = `${form.pattern} ${form.name}`;
    const { status, text } = await send(server, later.cookie(), sendingOf(form));
    assert.equal(status, 401, place);
    assert.ok(text.includes(`signed in as @${joined.username}`), place);
  }
  assert.deepEqual(await rows.state(), unchanged);
});

test('the form that was refused is sent again once its own account is back', async () => {
  const form = shown.find(({ pattern, name }) => `${pattern} ${name}` === '/settings profile');
  assert.ok(form);
  const { status, text } = await send(server, people.browser.cookie(), sendingOf(form));
  assert.equal(status, 303, text);
});

test('401 for requests of scripts of another account', async () => {
  const headers = { 'colophon-reader': people.person.id };
  for (const [method, path] of [
    ['POST', '/-/recovery-codes'],
    ['POST', '/-/passkeys/begin'],
    ['POST', '/-/sign-out'],
    ['DELETE', '/-/sessions'],
  ] as const) {
    const { status, body } = await later.ask(method, path, { headers });
    assert.equal(status, 401, path);
    assert.match(body.detail, /opened with another account/, path);
  }
  const me = await later.ask('GET', '/-/v1/me');
  assert.equal(me.body.principal.username, joined.username);
  const own = { 'colophon-reader': me.body.principal.id };
  assert.equal((await later.ask('POST', '/-/sign-out', { headers: own })).status, 204);
});
