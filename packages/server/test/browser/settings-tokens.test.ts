// Tokens in a real browser: issued with a passkey check, shown once, copied, revoked; hostile names run nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
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

async function fillForm(page: Page, name: string): Promise<void> {
  await page.goto('/settings/tokens');
  await page.getByText('New token').click();
  await page.getByLabel('What is it for?').fill(name);
  await page.getByLabel('articles:read').check();
}

const statusOf = async (token: string) =>
  (await people.server.ask('GET', '/v1/me', { token })).status;

test(
  'a token: passkey check, shown once without a reload, copied, gone afterwards',
  options,
  async () => {
    await using person = await people.join();
    const { page, complaints } = person;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await fillForm(page, 'Deploys');
    await letChecksLapse();
    await page.evaluate(() => document.body.setAttribute('data-kept', ''));
    const checked = page.waitForRequest('**/-/check');
    await page.getByRole('button', { name: 'Issue the token' }).click();
    await checked;
    const secret = page.locator('#secret');
    await secret.waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'issued');
    assert.equal(await page.locator('[data-kept]').count(), 1, 'the page was not loaded again');
    assert.equal(await page.locator('details[open]').count(), 0, 'the form is closed');
    const token = await secret.inputValue();
    assert.equal(await statusOf(token), 200);
    const masked = await secret.evaluate((element) =>
      getComputedStyle(element).getPropertyValue('-webkit-text-security'),
    );
    assert.equal(masked, 'none', 'people can read it');
    const asks = page.waitForEvent('dialog');
    const stays = asks.then((dialog) => dialog.dismiss());
    await page.locator('.top').getByRole('link', { name: 'Write' }).click();
    assert.equal((await asks).type(), 'beforeunload', 'it is not copied yet');
    await stays;
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    page.once('dialog', () => assert.fail('it is copied'));
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), token);
    assert.ok(!page.url().includes('clp_'));
    await page.reload();
    assert.ok(!(await page.content()).includes(token.slice(0, 20)));
    await page.goBack();
    assert.ok(!(await page.content()).includes(token.slice(0, 20)));
    assert.deepEqual(complaints, []);
  },
);

test('on the way back to the page the token is gone', options, async () => {
  await using person = await people.join();
  const { page } = person;
  await fillForm(page, 'Deploys');
  await page.getByRole('button', { name: 'Issue the token' }).click();
  const token = await page.locator('#secret').inputValue();
  await page.goto('/topics');
  await page.goBack();
  await page.getByRole('heading', { name: 'Your tokens' }).waitFor();
  assert.ok(!(await page.content()).includes(token.slice(0, 20)));
});

test('what was ticked in one form stays while another one is sent', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  for (const name of ['First', 'Second']) {
    await fillForm(page, name);
    await page.getByRole('button', { name: 'Issue the token' }).click();
    await page.locator('#secret').waitFor();
  }
  await fillForm(page, 'Third');
  await page.getByLabel('Never').check();
  assert.ok(await page.getByText('A token without an end works until').isVisible());
  const [second, first] = [page.locator('.token').nth(0), page.locator('.token').nth(1)];
  await first.locator('summary').click();
  await first.getByRole('checkbox').check();
  await second.locator('summary').click();
  await second.getByRole('button', { name: 'Revoke it now' }).click();
  await page.getByText('The token is revoked.').waitFor();
  assert.ok(await page.getByLabel('articles:read').isChecked());
  assert.ok(await page.getByLabel('Never').isChecked());
  assert.equal(await page.getByLabel('What is it for?').inputValue(), 'Third');
  assert.ok(await first.getByRole('checkbox').isChecked(), 'the one of its own row');
  assert.deepEqual(complaints, []);
});

test('without scripts the token is selectable text, and shown once', options, async () => {
  await using person = await people.join(freshName(), { withoutScripts: true });
  const { page } = person;
  await fillForm(page, 'Deploys');
  assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0);
  await page.getByRole('button', { name: 'Issue the token' }).click();
  const token = await page.locator('#secret').inputValue();
  assert.equal(await statusOf(token), 200);
  assert.ok(!page.url().includes('clp_'));
  await page.reload();
  await page.getByRole('heading', { name: 'This token was issued before' }).waitFor();
  assert.ok(!(await page.content()).includes(token.slice(0, 20)));
  assert.equal(await page.locator('.token').count(), 1);
  await page.locator('.token summary').click();
  await page.getByRole('button', { name: 'Revoke it now' }).click();
  await page.getByText('The token is revoked.').waitFor();
  assert.equal(await statusOf(token), 401);
});

/** Notes what the pages say of a passkey check, while it is asked for. */
async function noteConfirming(page: Page): Promise<() => Promise<readonly string[]>> {
  const said: string[] = [];
  await page.exposeFunction('noteSaid', (words: string) => said.push(words));
  await page.addInitScript(() => {
    const note = (globalThis as unknown as { noteSaid: (words: string) => void }).noteSaid;
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof HTMLElement && node.matches('.confirming'))
          note(node.textContent ?? '');
    }).observe(document, { childList: true, subtree: true });
  });
  return async () => {
    assert.equal(await page.locator('.confirming').count(), 0, 'it is gone afterwards');
    return said.splice(0);
  };
}

test(
  'while the passkey is asked for, the page says what it confirms, and of what',
  options,
  async () => {
    await using person = await people.join();
    const { page, complaints } = person;
    const said = await noteConfirming(page);
    await letChecksLapse();
    await fillForm(page, 'My <b>program</b>');
    await page.getByRole('button', { name: 'Issue the token' }).click();
    await page.locator('#secret').waitFor();
    const words = 'Confirm with your passkey: issue the token “My <b>program</b>”';
    assert.deepEqual(await said(), [words]);
    await using other = await people.join();
    const codes = await noteConfirming(other.page);
    await letChecksLapse();
    await other.page.goto('/settings/security');
    await other.page.getByRole('button', { name: 'Make new codes' }).click();
    await other.page.locator('#codes li').nth(9).waitFor();
    const renewing = 'Confirm with your passkey: replace your recovery codes by new ones';
    assert.deepEqual(await codes(), [renewing]);
    assert.deepEqual([...complaints, ...other.complaints], []);
  },
);
