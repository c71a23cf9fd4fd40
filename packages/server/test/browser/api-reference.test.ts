// The API reference in a real browser: requests are tried by keyboard, the token is nowhere but in memory.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { pngOf } from '#test/media-files';
import { noBrowser, openBrowser } from './browser.ts';
import type { Browser } from './browser.ts';

const options = { skip: noBrowser };

let browser: Browser;
let server: TestServer;
before(async () => {
  if (noBrowser !== false) return;
  [browser, server] = await Promise.all([openBrowser(), startServer()]);
});
after(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Errors of scripts, and what the policy of a page refused. */
  readonly complaints: readonly string[];
  /** Addresses that were requested, and whether a token was sent there. */
  readonly requests: readonly (readonly [address: string, hasToken: boolean])[];
}

async function visit(path: string): Promise<Visit> {
  const context = await browser.newContext({ baseURL: server.baseUrl });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: [string, boolean][] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  page.on('request', (request) =>
    requests.push([request.url(), 'authorization' in request.headers()]),
  );
  await page.goto(path);
  return { page, complaints, requests, [Symbol.asyncDispose]: () => context.close() };
}

const outcome = (page: Page) => page.locator('.outcome');
const answer = (page: Page) => page.getByRole('region', { name: 'Body of the answer' });
const send = (page: Page) => page.getByRole('button', { name: /^Send / });

/** Runs in the page: everything that it has stored, as text. */
async function storedText(): Promise<string> {
  const databases = await indexedDB.databases();
  const session = { ...sessionStorage };
  const parts = [{ ...localStorage }, session, databases, history.state, document.cookie];
  return JSON.stringify([...parts, location.href]);
}

/** Moves the focus with the tab key until a field with this label has it. */
async function tabTo(page: Page, label: string): Promise<void> {
  for (let count = 0; count < 40; count += 1) {
    await page.keyboard.press('Tab');
    const here = await page.evaluate(() => {
      const element = document.activeElement;
      if (element instanceof HTMLButtonElement) return element.textContent;
      return element instanceof HTMLInputElement ? (element.labels?.[0]?.textContent ?? '') : '';
    });
    if (here === label) return;
  }
  assert.fail(`${label} cannot be reached`);
}

test('an operation is tried by keyboard; the token is nowhere but in memory', options, async () => {
  await using visited = await visit('/docs/api/create-article');
  const { page, complaints, requests } = visited;
  const { token } = await server.register();
  await tabTo(page, 'Token');
  await page.keyboard.type(token);
  await tabTo(page, 'Send POST');
  await page.keyboard.press('Enter');
  await outcome(page).getByText('201 Created').waitFor();
  assert.match(await answer(page).innerText(), /"status": "draft"/);
  assert.ok(await page.locator('.heads').getByText('x-request-id').isVisible());
  assert.ok(!(await page.evaluate(storedText)).includes(token));
  assert.deepEqual(await page.context().cookies(), []);
  assert.ok(!JSON.stringify(await page.context().storageState()).includes(token));
  for (const [address, hasToken] of requests) {
    assert.ok(address.startsWith(`${server.baseUrl}/`) && !address.includes(token), address);
    assert.equal(hasToken, new URL(address).pathname === '/v1/articles', address);
  }
  await page.reload();
  assert.equal(await page.getByLabel('Token').inputValue(), '');
  assert.deepEqual(complaints, []);
});

test('the token goes along to other pages of the reference, and no further', options, async () => {
  await using visited = await visit('/docs/api');
  const { page, complaints } = visited;
  const human = await server.register();
  const { id } = await server.draft(human);
  await page.getByLabel('Find an operation').fill('create first revision');
  await page.getByRole('status').getByText('1 operation', { exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Create a draft' }).waitFor();
  await page.getByLabel('Token').fill(human.token);
  await page.getByRole('navigation', { name: 'Articles' }).getByText('Publish a revision').click();
  await page.getByRole('heading', { level: 1, name: 'Publish a revision' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/docs/api/publish-article');
  assert.match(await page.title(), /^Publish a revision/);
  assert.equal(await page.getByLabel('Token').inputValue(), human.token);
  await page.getByLabel('id', { exact: false }).first().fill(id);
  await page.getByLabel('Body, as JSON').fill('{}');
  await page.keyboard.press('Control+Enter');
  await outcome(page).getByText('200 OK').waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Create a draft' }).waitFor();
  assert.equal(await page.getByLabel('Token').inputValue(), human.token);
  await page.getByRole('link', { name: 'Colophon' }).click();
  await page.waitForURL(`${server.baseUrl}/`);
  await page.goBack();
  assert.equal(await page.getByLabel('Token').inputValue(), '');
  assert.deepEqual(complaints, []);
});

test(
  'answers are text, nothing in them becomes a part of the page, and requests have no session',
  options,
  async () => {
    const human = await server.register();
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const { id } = await server.published(human, { title: hostile, content: hostile });
    await using visited = await visit('/docs/api/read-article');
    const { page, complaints } = visited;
    const cookie = { name: 'colophon_session', value: 'a-secret', url: server.baseUrl };
    await page.context().addCookies([cookie]);
    const title = await page.title();
    const asked = page.waitForRequest(`${server.baseUrl}/v1/articles/${id}`);
    await page.getByLabel('id', { exact: false }).first().fill(id);
    await send(page).click();
    await outcome(page).getByText('200 OK').waitFor();
    assert.ok((await answer(page).innerText()).includes('<img src=x onerror='));
    assert.equal(await page.locator('.answer :is(img, script)').count(), 0);
    assert.equal((await (await asked).allHeaders())['cookie'], undefined);
    assert.equal(await page.title(), title);
    assert.deepEqual(complaints, []);
  },
);

test('a link within the page leaves the form alone, and samples are copied', options, async () => {
  await using visited = await visit('/docs/api/create-article');
  const { page, complaints } = visited;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByLabel('Token').fill('a-token');
  await page.getByLabel('Body, as JSON').fill('{}');
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.waitForURL('**#try');
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl -X POST/);
  assert.equal(await page.getByLabel('Body, as JSON').inputValue(), '{}');
  assert.deepEqual(complaints, []);
});

test('the same request has the same key, another request another one', options, async () => {
  const { token } = await server.register();
  await using visited = await visit('/docs/api/create-article');
  const { page } = visited;
  await page.getByLabel('Token').fill(token);
  const key = page.getByLabel('Idempotency-Key');
  const first = await key.inputValue();
  assert.match(first, /^[0-9a-f]{32}$/);
  await send(page).click();
  await outcome(page).getByText('201 Created').waitFor();
  const made = await answer(page).innerText();
  await send(page).click();
  await page.locator('.heads').getByText('idempotency-replayed').waitFor();
  assert.equal(await answer(page).innerText(), made);
  await page.getByLabel('Body, as JSON').fill('{ "title": "Lakes", "content": "Lakes stay." }');
  assert.notEqual(await key.inputValue(), first);
  await send(page).click();
  await page.locator('.heads').getByText('idempotency-replayed').waitFor({ state: 'detached' });
  assert.notEqual(await answer(page).innerText(), made);
});

test(
  'a problem is shown as it is, and a token of an answer can be used at once',
  options,
  async () => {
    await using visited = await visit('/docs/api/register-human');
    const { page, complaints } = visited;
    await page.getByLabel('Body, as JSON').fill('{ "username": "x" }');
    await send(page).click();
    await outcome(page).getByText('422').waitFor();
    assert.match(await answer(page).innerText(), /"pointer": "\/username"/);
    const username = `try-${Date.now().toString(36)}`;
    await page.getByLabel('Body, as JSON').fill(JSON.stringify({ username }));
    await send(page).click();
    await outcome(page).getByText('201 Created').waitFor();
    await page.getByRole('button', { name: 'Use this token' }).click();
    await page.getByRole('link', { name: 'Read your account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Read your account' }).waitFor();
    await send(page).click();
    await outcome(page).getByText('200 OK').waitFor();
    assert.ok((await answer(page).innerText()).includes(username));
    assert.deepEqual(complaints, []);
  },
);

test('a file is sent as it is', options, async () => {
  const human = await server.register();
  const body = { kind: 'image' };
  const made = await server.ask('POST', '/v1/media', { token: human.token, key: true, body });
  await using visited = await visit('/docs/api/upload-media');
  const { page } = visited;
  await page.getByLabel('Token').fill(human.token);
  await page.getByLabel('id', { exact: false }).first().fill(made.body.id);
  const buffer = pngOf(3, 2);
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await send(page).click();
  await outcome(page).getByText('200 OK').waitFor();
  assert.match(await answer(page).innerText(), new RegExp(`"byte_size": ${buffer.length}`));
});

test(
  'without JavaScript the examples and the search are there, and the form says why not',
  options,
  async () => {
    const context = await browser.newContext({ baseURL: server.baseUrl, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('/docs/api');
    await page.getByLabel('Find an operation').fill('erase');
    await page.keyboard.press('Enter');
    await page.getByText('1 operation', { exact: true }).waitFor();
    await page.locator('li:visible a', { hasText: '/erase' }).click();
    await page.getByRole('region', { name: 'curl example' }).waitFor();
    await page.locator('#try noscript .note').waitFor();
    assert.ok(await send(page).isDisabled());
    await context.close();
  },
);
