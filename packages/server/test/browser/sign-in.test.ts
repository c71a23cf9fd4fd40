// People join, sign in and out, and recover in a real browser, with a virtual authenticator.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { freshName, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { noBrowser, openBrowser } from './browser.ts';

const options = { skip: noBrowser };

let browser: Browser;
let server: TestServer;
before(async () => {
  if (noBrowser !== false) return;
  // WebAuthn accepts no IP address.
  [browser, server] = await Promise.all([
    openBrowser(),
    startServer({ BASE_URL: 'http://localhost:{port}' }),
  ]);
});
after(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained about: errors of scripts, and what the policy of a page refused. */
  readonly complaints: readonly string[];
}

/** A browser of its own, with a device that has passkeys and confirms every time. */
async function visit(): Promise<Visit> {
  const context = await browser.newContext({ baseURL: server.baseUrl });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A request that is refused is shown to the person; the console repeats it.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** As a browser that offers no passkeys in fields. */
async function withoutAutofill(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
}

async function join(page: Page, username: string): Promise<string[]> {
  await page.goto('/join');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Join with a passkey' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  const codes = await page.locator('#codes li').allInnerTexts();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  return codes;
}

test('join, sign out, sign in again', options, async () => {
  await using visited = await visit();
  const { page, complaints } = visited;
  await withoutAutofill(page);
  const username = freshName();
  const codes = await join(page, username);
  assert.equal(codes.length, 10);
  assert.ok(await page.getByRole('link', { name: `@${username}` }).isVisible());
  assert.ok(await page.getByText('You have 10 unused codes.').isVisible());
  await page.getByRole('button', { name: 'Sign out here' }).click();
  await page.waitForURL(`${server.baseUrl}/`);
  await page.goto('/account');
  await page.waitForURL('**/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('the browser offers the passkey in the field, and it signs in', options, async () => {
  await using visited = await visit();
  const { page, complaints } = visited;
  await join(page, freshName());
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.waitForURL(`${server.baseUrl}/`);
  await page.goto('/sign-in');
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  assert.deepEqual(complaints, []);
});

test(
  'a name that is taken is said beside the field, while it is typed and when it is sent',
  options,
  async () => {
    await using visited = await visit();
    const { page } = visited;
    const { username } = await server.register();
    await page.goto('/join');
    await page.getByLabel('Username').pressSequentially(username);
    await page.getByText('This username is taken. Choose another.').waitFor();
    await page.getByLabel('Username').fill('no spaces');
    await page.keyboard.press('Enter');
    await page.locator('#username-fault:not(:empty)').waitFor();
    assert.equal(await page.getByLabel('Username').getAttribute('aria-invalid'), 'true');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'username');
  },
);

test('a recovery code signs in on another device, where a passkey is added', options, async () => {
  await using first = await visit();
  const username = freshName();
  const [code = ''] = await join(first.page, username);
  await using second = await visit();
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
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.locator('.remove-passkey').first().waitFor();
  assert.equal(await page.locator('.remove-passkey').count(), 2);
  await page.locator('.end-session').click();
  await page.locator('.end-session').waitFor({ state: 'detached' });
  await first.page.reload();
  await first.page.waitForURL('**/sign-in');
  assert.deepEqual(complaints, []);
});

test('a link of the API signs in once, and asks for a passkey', options, async () => {
  await using visited = await visit();
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
