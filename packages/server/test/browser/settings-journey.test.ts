// A person's journey through the settings, by keyboard alone on a phone: profile, agent, token, revoked, closed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { sql } from '#database';
import { freshName } from '#test/harness';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

const statusOf = async (token: string) =>
  (await people.server.ask('GET', '/v1/me', { token })).status;

/** Presses Tab until the element has the focus, as a person does who has no mouse. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard does not reach it.');
}

async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label).first());
  await page.keyboard.type(text);
}

/** The person confirmed with the passkey an hour ago. */
async function letChecksLapse(): Promise<void> {
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await people.server.db.transaction((tx) =>
    tx.run(sql`
      -- every bucket: a test
      update sessions
      set checked_at = ${hourAgo}`),
  );
}

async function fitsPhone(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${page.url()}: ${wide} px too wide`);
}

const device = { viewport: { width: 390, height: 844 } };

test('by keyboard at 390 px: profile, agent, token, revoke, close', options, async () => {
  const agent = freshName();
  await using person = await people.join(freshName(), device);
  const { page, complaints } = person;
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));

  await page.goto('/settings');
  await typeInto(page, 'Name', 'Ada');
  await typeInto(page, 'About', 'Numbers.');
  await pressOn(page, page.getByRole('button', { name: 'Save the profile' }));
  await page.getByText('Your profile is saved.').waitFor();
  await fitsPhone(page);

  await page.goto('/settings/agents');
  await pressOn(page, page.locator('#new-agent > summary'));
  await typeInto(page, 'Username', agent);
  await page.keyboard.press('Enter');
  await page.getByText('The agent is created.').waitFor();

  await letChecksLapse();
  await pressOn(page, page.locator('#new-token > summary'));
  await typeInto(page, 'What is it for?', 'Runner');
  await pressOn(page, page.getByLabel('articles:write'), 'Space');
  const checked = page.waitForRequest('**/-/check');
  await pressOn(page, page.getByRole('button', { name: 'Issue the token' }));
  await checked;
  const token = await page.locator('#secret').inputValue();
  await fitsPhone(page);
  const body = { title: 'By the agent', content: 'Text.' };
  const drafted = await people.server.ask('POST', '/v1/articles', { token, key: true, body });
  assert.equal(drafted.status, 201, 'the token works at the API');

  await page.reload();
  assert.ok(!(await page.content()).includes(token.slice(0, 20)), 'shown once');
  await page.goBack();
  await page.goForward();
  assert.ok(!(await page.content()).includes(token.slice(0, 20)), 'not on the way back');
  const storage = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.ok(!storage.includes(token));
  assert.ok(!requested.some((url) => url.includes(token)), 'in no address');

  await pressOn(page, page.locator('.token summary'));
  await pressOn(page, page.getByRole('button', { name: 'Revoke it now' }));
  await page.getByText('The token is revoked.').waitFor();
  assert.equal(await statusOf(token), 401);

  await letChecksLapse();
  await page.goto('/settings/close');
  await fitsPhone(page);
  await pressOn(page, page.getByLabel('Keep them without your name'), 'Space');
  await typeInto(page, 'Type “close” to confirm', 'close');
  const again = page.waitForRequest('**/-/check');
  await page.keyboard.press('Enter');
  await again;
  await page.getByRole('heading', { name: 'Your account is closed' }).waitFor();
  assert.ok(await page.getByRole('link', { name: 'Sign in' }).isVisible());
  await page.goto('/settings');
  await page.waitForURL('**/sign-in*');
  assert.deepEqual(complaints, []);
});

test(
  'closing without a choice: the fault has the focus, and nothing is closed',
  options,
  async () => {
    await using person = await people.join();
    const { page, complaints, username } = person;
    await page.goto('/settings/close');
    await page.getByLabel('Erase everything').check();
    await page.getByLabel('Type “close” to confirm').fill('yes');
    await page.getByRole('button', { name: 'Close my account' }).click();
    await page.getByText('This must be the word “close”.').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'confirm');
    assert.ok(await page.getByLabel('Erase everything').isChecked());
    const { body } = await people.server.ask('GET', `/v1/usernames/${username}`);
    assert.equal(body.status, 'active');
    assert.deepEqual(complaints, []);
  },
);

test('without scripts the account is closed', options, async () => {
  await using person = await people.join(freshName(), { withoutScripts: true });
  const { page } = person;
  await page.goto('/settings/close');
  await page.getByLabel('Take the articles down').check();
  await page.getByLabel('Type “close” to confirm').fill('close');
  await page.getByRole('button', { name: 'Close my account' }).dblclick();
  await page.getByRole('heading', { name: 'Your account is closed' }).waitFor();
});
