// The page /settings: the person’s own profile, saved without scripts; faults, suspension, signed out.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits } from '@colophon/contract';
import { setPrincipalStatus } from '#test/accounts';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const key = 'key=0123456789abcdef';

const save = (browser: TestBrowser, fields: Readonly<Record<string, string>>) =>
  browser.sendForm('/settings?form=profile', `${key}&${new URLSearchParams(fields).toString()}`);

async function join() {
  const browser = openBrowser(server);
  const { username } = await browser.join();
  const read = async () => (await server.ask('GET', `/v1/usernames/${username}`)).body;
  return { browser, username, read };
}

test('signed out: the reader signs in and comes back', async () => {
  const shown = await openBrowser(server).page('/settings');
  assert.equal(shown.status, 303);
  assert.equal(shown.headers.get('location'), '/sign-in?next=%2Fsettings');
});

test('a profile is saved, shown in the fields and in the preview, and cleared', async () => {
  const { browser, username, read } = await join();
  const sent = await save(browser, { display_name: 'Ada', bio: 'First line.\r\nSecond <line>.' });
  assert.equal(sent.status, 303);
  assert.equal(sent.headers.get('location'), '/settings?done=profile#done');
  const { display_name, bio } = await read();
  assert.deepEqual([display_name, bio], ['Ada', 'First line.\nSecond <line>.']);
  const shown = await browser.page('/settings?done=profile');
  assert.equal(shown.headers.get('cache-control'), 'private, no-store');
  assert.match(shown.headers.get('x-robots-tag') ?? '', /noindex/);
  assert.ok(shown.all('p').some(({ text }) => text === 'Your profile is saved.'));
  assert.equal(shown.all('h3')[0]?.text, 'Ada');
  assert.ok(shown.all('p').some(({ text }) => text === 'First line.\nSecond <line>.'));
  assert.ok(shown.all('a').some(({ attributes }) => attributes['href'] === `/@${username}`));
  await save(browser, { display_name: ' ', bio: '' });
  assert.equal((await read()).display_name, null);
  assert.equal((await read()).bio, null);
});

test('a refused profile comes back with what was typed and the fault beside its field', async () => {
  const { browser, read } = await join();
  const sent = await save(browser, {
    display_name: 'A\u202eda',
    bio: 'b'.repeat(limits.bio_max + 1),
  });
  assert.equal(sent.status, 422);
  assert.match(sent.text, /aria-invalid="true"/);
  assert.match(sent.text, /A\u202eda/);
  assert.match(sent.text, /b{2001}/);
  assert.match(sent.text, /id="bio-fault" aria-live="polite">This must/);
  const hidden = await save(browser, { display_name: 'A\u202eda', bio: '' });
  assert.match(hidden.text, /id="display_name-fault" aria-live="polite">This must be one line/);
  assert.equal((await read()).display_name, null);
});

test('two pages, a field changed on each: both changes stay', async () => {
  const { browser, read } = await join();
  await save(browser, { display_name: 'Ada', bio: 'Old.' });
  const [input] = (await browser.page('/settings'))
    .all('input')
    .filter(({ attributes }) => attributes['name'] === 'before');
  const before = input?.attributes['value'] ?? assert.fail('The page does not say what it shows.');
  await save(browser, { display_name: 'Ada', bio: 'New.', before });
  await save(browser, { display_name: 'Ada L.', bio: 'Old.', before });
  const { display_name, bio } = await read();
  assert.deepEqual([display_name, bio], ['Ada L.', 'New.']);
});

test('a suspended account reads its settings, and is told why nothing is saved', async () => {
  const { browser, read } = await join();
  await setPrincipalStatus(server, (await read()).id, 'suspended');
  const shown = await browser.page('/settings');
  assert.equal(shown.status, 200);
  assert.match(shown.text, /Your account is suspended/);
  const sent = await save(browser, { display_name: 'Ada', bio: '' });
  assert.equal(sent.status, 403);
  assert.match(sent.text, /role="alert">Your account is suspended/);
  assert.match(sent.text, /value="Ada"/);
  assert.equal((await read()).display_name, null);
});
