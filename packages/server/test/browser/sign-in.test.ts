// People join, sign in and out, and recover in a real browser, with a virtual authenticator.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freshName } from '#test/harness';
import type { TestServer } from '#test/harness';
import { noBrowser } from './browser.ts';
import { joinIn, openPasskeyBrowser } from './passkeys.ts';
import type { PasskeyBrowser } from './passkeys.ts';

const options = { skip: noBrowser };

let opened: PasskeyBrowser;
let server: TestServer;
before(async () => {
  if (noBrowser !== false) return;
  opened = await openPasskeyBrowser();
  ({ server } = opened);
});
after(() => opened?.[Symbol.asyncDispose]());

/** As a browser that offers no passkeys in fields. */
async function withoutAutofill(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
}

test('a session is listed with the network of its last use', options, async () => {
  await using visited = await opened.visit();
  const { page } = visited;
  await joinIn(page, freshName());
  const row = page.locator('section', { has: page.getByText('Where you are signed in') });
  await row.getByText(/from the network (127\.0\.0\.0\/24|::\/48)/).waitFor();
});

test('join, sign out, sign in again', options, async () => {
  await using visited = await opened.visit();
  const { page, complaints } = visited;
  await withoutAutofill(page);
  const username = freshName();
  const codes = await joinIn(page, username);
  assert.equal(codes.length, 10);
  assert.ok(await page.getByRole('link', { name: `@${username}` }).isVisible());
  assert.ok(await page.getByText('You have 10 unused codes.').isVisible());
  await page.getByRole('button', { name: 'Sign out here' }).click();
  await page.waitForURL(`${server.baseUrl}/`);
  await page.goto('/account');
  await page.waitForURL('**/sign-in?*');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Passkeys and sessions' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('after joining, the header is that of a signed-in reader', options, async () => {
  await using visited = await opened.visit();
  const { page, complaints } = visited;
  await page.goto('/join');
  await page.getByLabel('Username').fill(freshName());
  await page.getByRole('button', { name: 'Join with a passkey' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await page.locator('.top').getByRole('link', { name: 'Write' }).waitFor();
  assert.equal(await page.locator('.top').getByRole('link', { name: 'Join' }).count(), 0);
  assert.equal(await page.locator('#codes li').count(), 10);
  assert.deepEqual(complaints, []);
});

test(
  'joining and signing in while signed in: who one is, and signing out first',
  options,
  async () => {
    const username = freshName();
    await using visited = await opened.visitAs(username);
    const { page, complaints } = visited;
    await withoutAutofill(page);
    for (const path of ['/join', '/sign-in?next=%2Ftopics']) {
      await page.goto(path);
      await page.getByText(`This browser is signed in as @${username}`).waitFor();
      assert.equal(await page.getByLabel('Username').count(), 0);
      const own = page.getByRole('link', { name: 'Your account' });
      assert.equal(await own.getAttribute('href'), '/settings');
    }
    const onward = page.getByRole('link', { name: 'Go on' });
    assert.equal(await onward.getAttribute('href'), '/topics');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    assert.equal(new URL(page.url()).search, '?next=%2Ftopics');
    assert.deepEqual(complaints, []);
  },
);

test('the browser offers the passkey in the field, and it signs in', options, async () => {
  await using visited = await opened.visitAs(freshName());
  const { page, complaints } = visited;
  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.waitForURL(`${server.baseUrl}/`);
  await page.goto('/sign-in');
  await page.getByRole('heading', { name: 'Latest' }).waitFor();
  assert.deepEqual(complaints, []);
});

test(
  'a name that is taken is said beside the field, while it is typed and when it is sent',
  options,
  async () => {
    await using visited = await opened.visit();
    const { page } = visited;
    const { username } = await server.register();
    await page.goto('/join');
    const name = page.getByLabel('Username');
    for (const [typed, words] of [
      [username, /^This username is taken/],
      ['adm1n', /^This username is taken, reserved/],
      ['Ada Lovelace', /character 4 is a space/],
      [freshName(), /^@\S+ is free\.$/],
    ] as const) {
      await name.fill('');
      await name.pressSequentially(typed);
      await page.locator('#username-fault', { hasText: words }).waitFor();
    }
    await name.fill(username);
    await page.keyboard.press('Enter');
    await page.locator('#username[aria-invalid="true"]').waitFor();
    assert.match(await page.locator('#username-fault').innerText(), /^This username is taken/);
    assert.equal(await page.getByText(/^This username is taken/).count(), 1, 'it is said once');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'username');
    await page.getByLabel('Username').fill('no spaces');
    await page.keyboard.press('Enter');
    await page.getByText(/^Only the letters a to z/).waitFor();
    assert.equal(await page.getByLabel('Username').getAttribute('aria-invalid'), 'true');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'username');
  },
);

test('a recovery code signs in on another device, where a passkey is added', options, async () => {
  await using first = await opened.visit();
  const username = freshName();
  const [code = ''] = await joinIn(first.page, username);
  await using second = await opened.visit();
  const { page, complaints } = second;
  await page.goto('/sign-in');
  await page.getByText('I have lost my passkeys').click();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Recovery code').fill('wrong');
  await page.getByRole('button', { name: 'Sign in with the code' }).click();
  await page.getByText('do not belong together').waitFor();
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Sign in with the code' }).click();
  await page.getByText('You have 9 unused codes.').waitFor();
  assert.equal(await page.locator('.end-session').count(), 1, 'the other device is listed');
  const note = page.getByRole('region', { name: 'You signed in with a recovery code' });
  assert.match(await note.innerText(), /The code is used up\. You have 9 codes left\./);
  assert.equal(await note.getByRole('link', { name: 'Go on' }).count(), 0, 'no page asked for it');
  assert.equal(
    await note.getByRole('link', { name: 'Make new codes' }).getAttribute('href'),
    '#recovery',
  );
  await note.getByRole('button', { name: 'Add a passkey now' }).click();
  await page.locator('.remove-passkey').first().waitFor();
  assert.equal(await page.locator('.remove-passkey').count(), 2);
  await page.locator('.end-session').click();
  await page.locator('.end-session').waitFor({ state: 'detached' });
  await first.page.reload();
  await first.page.waitForURL('**/sign-in?*');
  assert.deepEqual(complaints, []);
});

test('a link of the API signs in once, and asks for a passkey', options, async () => {
  await using visited = await opened.visit();
  const { page, complaints } = visited;
  const human = await server.register();
  const { body } = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
  await page.goto(body.url);
  assert.ok(!page.url().includes('#'), 'the secret has left the address');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You have no passkey yet.').waitFor();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('Your only passkey.').waitFor();
  await page.getByLabel('Name of the passkey').fill('My laptop');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('[name="name"]')?.defaultValue === 'My laptop',
  );
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  assert.equal(await page.locator('#codes li').count(), 10);
  assert.deepEqual(complaints, []);
});

test(
  'signing in goes back to the page that asked for it, also after joining',
  options,
  async () => {
    await using visited = await opened.visit();
    const { page, complaints } = visited;
    await withoutAutofill(page);
    await page.goto('/sign-in?next=%2Fsearch%3Fq%3Dmoss');
    await page.locator('main').getByRole('link', { name: 'Join', exact: true }).click();
    await page.locator('main').getByRole('link', { name: 'Sign in', exact: true }).click();
    await page.locator('main').getByRole('link', { name: 'Join', exact: true }).click();
    await page.getByLabel('Username').fill(freshName());
    await page.getByRole('button', { name: 'Join with a passkey' }).click();
    await page.getByRole('link', { name: 'Go on' }).click();
    await page.waitForURL(`${server.baseUrl}/search?q=moss`);
    await page.context().clearCookies();
    await page.goto('/sign-in?next=%2Ftopics');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${server.baseUrl}/topics`);
    assert.deepEqual(complaints, []);
  },
);

test('signing in leads to no other site, whatever the address says', options, async () => {
  await using visited = await opened.visitAs(freshName());
  const { page } = visited;
  await withoutAutofill(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).origin));
  for (const next of ['https://elsewhere.example', '//elsewhere.example', '/\\elsewhere.example']) {
    await page.context().clearCookies();
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${server.baseUrl}/`);
  }
  assert.deepEqual([...new Set(asked)], [server.baseUrl]);
});

async function linkOf(): Promise<{ readonly username: string; readonly url: string }> {
  const { username, token } = await server.register();
  const { body } = await server.ask('POST', '/v1/web-links', { token, body: {} });
  return { username, url: body.url };
}

test('a link of another account is named, and replaces no account unasked', options, async () => {
  const own = freshName();
  await using visited = await opened.visitAs(own);
  const { page, complaints } = visited;
  const { username, url } = await linkOf();
  await page.goto(url);
  await page.getByText(`You are signed in as @${own} now.`).waitFor();
  await page.getByText(`This link signs you in as @${username}.`).waitFor();
  await page.getByRole('link', { name: `Stay signed in as @${own}` }).click();
  await page.getByText(`You are signed in as @${own}.`).waitFor();
  await page.goto(url);
  await page
    .getByRole('button', { name: `Sign out of @${own} and sign in as @${username}` })
    .click();
  await page.getByText(`You are signed in as @${username}.`).waitFor();
  assert.deepEqual(complaints, []);
});

test(
  'a link names its account before it signs in; one that has ended says so',
  options,
  async () => {
    await using visited = await opened.visit();
    const { page, complaints } = visited;
    const { username, url } = await linkOf();
    await page.goto((await linkOf()).url);
    await page.goto(url);
    await page.getByText(`This link signs you in as @${username}.`).waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(`You are signed in as @${username}.`).waitFor();
    await page.goto(url);
    await page.getByRole('alert').getByText('was used already').waitFor();
    assert.deepEqual(complaints, []);
  },
);

test('another account that signed in meanwhile is not replaced', options, async () => {
  await using visited = await opened.visit();
  const { page } = visited;
  const { username, url } = await linkOf();
  await page.goto(url);
  await page.getByText(`This link signs you in as @${username}.`).waitFor();
  const other = await page.context().newPage();
  const first = await linkOf();
  await other.goto(first.url);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByText(`You are signed in as @${first.username}.`).waitFor();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').getByText(`You are signed in as @${first.username}`).waitFor();
});
