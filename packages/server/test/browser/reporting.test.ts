// Reporting in a real browser: signed out and in, without scripts, by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#database';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };

let people: People;
let path: string;
let articleId: string;
before(async () => {
  if (noBrowser !== false) return;
  people = await openPeople();
  const made = await people.server.published(await people.server.register());
  path = new URL(String(made.url)).pathname;
  articleId = String(made.id);
});
after(() => people?.[Symbol.asyncDispose]());

async function reports(): Promise<readonly { details: string; reporter_id: string | null }[]> {
  return people.server.db.rows(sql<{ details: string; reporter_id: string | null }>`
    select details, reporter_id
    from reports
    where target_id = ${articleId}
    order by id desc`);
}

async function report(page: Page, details: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('link', { name: 'Report this article' }).click();
  await page.getByRole('radio', { name: 'Spam' }).check();
  await page.getByLabel('Tell us more').fill(details);
  await page.getByRole('button', { name: 'Send report' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  const [first] = await reports();
  assert.equal(first?.details, details);
}

test('signed out, with no script on the article but the one for reading', options, async () => {
  await using person = await people.visit();
  const { page, complaints } = person;
  await page.goto(path);
  const others = page.locator('script[src]:not([src^="/assets/reading-"])');
  assert.equal(await others.count(), 0);
  await report(page, 'Seen signed out');
  assert.equal((await reports())[0]?.reporter_id, null);
  await page.getByRole('link', { name: 'Back to the article' }).click();
  await page.waitForURL(`**${path}`);
  assert.deepEqual(complaints, []);
});

test('signed out and without scripts', options, async () => {
  await using person = await people.visit({ withoutScripts: true });
  await report(person.page, 'Seen without scripts');
});

test('signed in, on a phone', options, async () => {
  await using person = await people.join(undefined, { viewport: { width: 390, height: 844 } });
  const { page, complaints } = person;
  await report(page, '<img src=x onerror=alert(1)>');
  assert.notEqual((await reports())[0]?.reporter_id, null);
  await page.getByRole('link', { name: 'notifications', exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test('by keyboard alone', options, async () => {
  await using person = await people.visit();
  const { page, complaints } = person;
  await page.goto(`/report?type=article&id=${articleId}`);
  await page.locator('#main').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  assert.ok(await page.getByRole('radio', { name: 'Against the law' }).isChecked());
  await page.keyboard.press('Tab');
  await page.keyboard.type('By hand');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#sent:focus').waitFor();
  assert.equal((await reports())[0]?.details, 'By hand');
  assert.deepEqual(complaints, []);
});
