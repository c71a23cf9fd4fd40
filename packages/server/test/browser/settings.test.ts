// The settings in a real browser: the profile and its preview while it is typed, with and without scripts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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

test(
  'the preview follows what is typed; saving shows the same without a reload',
  options,
  async () => {
    await using person = await people.join();
    const { page, complaints, username } = person;
    await page.goto('/');
    await page.getByRole('link', { name: 'Settings' }).click();
    const preview = page.locator('.preview');
    assert.equal(await preview.getByRole('heading').innerText(), `@${username}`);
    await page.evaluate(() => document.body.setAttribute('data-kept', ''));
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('About').fill('Numbers <b>and</b> machines.\nSecond line.');
    assert.equal(await preview.getByRole('heading').innerText(), 'Ada Lovelace');
    const typed = await preview.locator('.bio').innerText();
    assert.equal(typed, 'Numbers <b>and</b> machines.\nSecond line.');
    await page.getByRole('button', { name: 'Save the profile' }).press('Enter');
    await page.getByText('Your profile is saved.').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'done');
    assert.equal(await page.locator('[data-kept]').count(), 1, 'the page was not loaded again');
    assert.equal(await preview.locator('.bio').innerText(), typed, 'the service shows the same');
    await page.getByLabel('About').fill('');
    assert.equal(await preview.locator('.bio').count(), 0);
    assert.deepEqual(complaints, []);
  },
);

test(
  'a name with hidden characters: the fault beside the field, which has the focus',
  options,
  async () => {
    await using person = await people.join();
    const { page, complaints } = person;
    await page.goto('/settings');
    await page.getByLabel('Name').fill('A\u202eda');
    await page.getByLabel('About').fill('Kept.');
    await page.getByRole('button', { name: 'Save the profile' }).click();
    await page.getByText(/^This must be one line.*[^.]\.$/).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'display_name');
    assert.equal(await page.getByLabel('About').inputValue(), 'Kept.');
    assert.deepEqual(complaints, []);
  },
);

test('without scripts the profile is saved with a reload', options, async () => {
  await using person = await people.join(freshName(), { withoutScripts: true });
  const { page } = person;
  await page.goto('/settings');
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Save the profile' }).click();
  await page.getByText('Your profile is saved.').waitFor();
  assert.equal(await page.locator('.preview').getByRole('heading').innerText(), 'Ada');
});

test(
  'a failure is said beside the button that was pressed, which keeps the focus',
  options,
  async () => {
    await using person = await people.join();
    const { page } = person;
    await page.goto('/settings/security');
    for (const [name, path] of [
      ['Make new codes', '**/-/recovery-codes'],
      ['Sign out everywhere', '**/-/sessions'],
    ] as const) {
      const button = page.getByRole('button', { name });
      const part = page.locator('div:has(> [role="alert"])', { has: button });
      await page.route(path, (route) => route.abort(), { times: 1 });
      await button.click();
      await part.getByText('The service cannot be reached.').waitFor({ timeout: 10_000 });
      assert.equal(await button.evaluate((one) => one === document.activeElement), true, name);
    }
  },
);
