// Recovery codes in a real browser: shown once, so the page asks before it is left until they are kept.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freshName } from '#test/harness';
import { openBrowser } from '#test/web-session';
import { until } from '../throw-away-database.ts';
import { noBrowser } from './browser.ts';
import { openPasskeyBrowser } from './passkeys.ts';
import type { PasskeyBrowser } from './passkeys.ts';

const options = { skip: noBrowser };

let opened: PasskeyBrowser;
before(async () => {
  if (noBrowser === false) opened = await openPasskeyBrowser();
});
after(() => opened?.[Symbol.asyncDispose]());

/** Counts how often the browser asks whether to leave the page; the answer is to stay. */
function stayIfAsked(page: Page): { count: number } {
  const asked = { count: 0 };
  page.on('dialog', (dialog) => {
    if (dialog.type() === 'beforeunload') asked.count += 1;
    void dialog.dismiss();
  });
  return asked;
}

test(
  'recovery codes are not in the page that the browser keeps for the way back',
  options,
  async () => {
    await using visited = await opened.visit();
    const { page } = visited;
    await page.goto('/join');
    await page.getByLabel('Username').fill(freshName());
    await page.getByRole('button', { name: 'Join with a passkey' }).click();
    await page.locator('#codes li').nth(9).waitFor();
    await page.evaluate(() => dispatchEvent(new Event('pagehide')));
    assert.equal(await page.locator('#codes li').count(), 0);
    assert.equal(await page.locator('#codes').isVisible(), false);
  },
);

test('recovery codes that are not kept yet: leaving the page asks', options, async () => {
  await using visited = await opened.visit();
  const { page, complaints } = visited;
  const username = freshName();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const asked = stayIfAsked(page);
  await page.goto('/join');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Join with a passkey' }).click();
  await page.getByRole('heading', { name: `You have joined as @${username}` }).waitFor();
  assert.equal(await page.getByText('You already have an account?').count(), 0);
  const write = page.locator('.top').getByRole('link', { name: 'Write' });
  await write.click();
  await until('the browser asks', async () => asked.count === 1);
  assert.equal(await page.locator('#codes li').count(), 10);
  await page.getByRole('button', { name: 'Copy all' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await write.click();
  await page.waitForURL('**/write');
  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await page.locator('#codes li').nth(9).waitFor();
  await write.click();
  await until('the browser asks', async () => asked.count === 2);
  await page.getByRole('link', { name: 'I have kept them' }).click();
  await page.getByText('You have 10 unused codes.').waitFor();
  await page.locator('#codes').waitFor({ state: 'hidden' });
  assert.equal(asked.count, 2);
  assert.deepEqual(complaints, []);
});

test('codes that replace copied ones are not said to be copied', options, async () => {
  await using visited = await opened.visitAs(freshName());
  const { page, complaints } = visited;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/settings/security');
  const renew = page.getByRole('button', { name: 'Make new codes' });
  const codes = page.locator('#codes li');
  await renew.click();
  await codes.nth(9).waitFor();
  const earlier = await codes.allInnerTexts();
  await page.getByRole('button', { name: 'Copy all' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await renew.click();
  await codes
    .first()
    .filter({ hasNotText: earlier[0] ?? '' })
    .waitFor();
  await page.getByRole('button', { name: 'Copy all' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.deepEqual(copied.split('\n'), await codes.allInnerTexts());
  assert.deepEqual(complaints, []);
});

test('a recovery code says that it is used up before it leads on', options, async () => {
  const { username, recoveryCodes } = await openBrowser(opened.server).join();
  await using visited = await opened.visit();
  const { page, complaints } = visited;
  await page.goto('/sign-in?next=%2Ftopics%3Forder%3Dcount');
  await page.getByText('I have lost my passkeys').click();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in with the code' }).click();
  await page.getByText('The code is used up. You have 9 codes left.').waitFor();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.waitForURL(`${opened.server.baseUrl}/topics?order=count`);
  assert.deepEqual(complaints, []);
});
