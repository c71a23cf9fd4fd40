// Notifications in a real browser: they arrive without a reload, in every tab, and are used by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { noBrowser } from './browser.ts';
import type { Page } from 'playwright-core';
import { openPeople } from './people.ts';
import type { People } from './people.ts';
import { until } from '../throw-away-database.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

/** Follows somebody, who gets a notification. Returns the name of the follower. */
async function follow(username: string): Promise<string> {
  const { server } = people;
  const follower = await server.register();
  const { body } = await server.ask('GET', `/v1/usernames/${username}`);
  const sent = { token: follower.token, body: { principal_id: body.id } };
  assert.equal((await server.ask('POST', '/v1/follows', sent)).status, 201);
  return follower.username;
}

/** Whether the window is in front: a headless browser says so of all of its tabs. */
async function putBehind(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
  });
}

function bringInFront(page: Page): Promise<void> {
  return page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'visible' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

const unreadIn = (page: Page) => page.locator('#top').getAttribute('data-unread');

test('a new follower is counted in both tabs and listed without a reload', options, async () => {
  await using person = await people.join();
  const { page, complaints, username } = person;
  const second = await page.context().newPage();
  await second.goto('/topics');
  // What is behind another window is not seen: it stays unread.
  await putBehind(page);
  await page.goto('/notifications');
  await page.getByText('No notifications yet.').waitFor();
  await follow(username);
  await page.getByText('follows you').waitFor();
  await second.getByText('1 unread').waitFor();
  assert.equal(await page.locator('.count').innerText(), '1');
  // A tab that has just come to the front may not get keys yet. There is one group: the key does no more later.
  await page.bringToFront();
  await until('the key arrives', async () => {
    await page.keyboard.press('j');
    return (await page.locator('.group:focus').count()) === 1;
  });
  const another = await follow(username);
  await second.getByText('2 unread').waitFor();
  await page.getByText('follows you').nth(1).waitFor();
  assert.equal(
    await page.locator('.group:focus').innerText(),
    await page.locator('.group').last().innerText(),
  );
  await page.keyboard.press('e');
  await page.locator('.unread').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('.dot').count(), 0);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/@${another}`);
  assert.deepEqual(complaints, []);
});

test(
  'keys that write a character can be switched off, in this browser for good',
  options,
  async () => {
    await using person = await people.join();
    const { page, complaints, username } = person;
    for (let count = 0; count < 2; count += 1) await follow(username);
    await page.goto('/notifications');
    const groups = page.locator('.group');
    const focusAfter = async (key: string) => {
      await groups.first().focus();
      await page.keyboard.press(key);
      return groups.last().evaluate((group) => group === document.activeElement);
    };
    const box = page.getByLabel('Use these keys');
    assert.equal(await box.isChecked(), true);
    assert.equal(await focusAfter('j'), true);
    await box.uncheck();
    assert.equal(await focusAfter('j'), false);
    await page.reload();
    assert.equal(await box.isChecked(), false);
    assert.equal(await focusAfter('j'), false);
    await box.check();
    assert.equal(await focusAfter('j'), true);
    assert.deepEqual(complaints, []);
  },
);

test('what was in front for two seconds is read, in all tabs; the dots stay', options, async () => {
  await using person = await people.join();
  const { page, complaints, username } = person;
  await follow(username);
  const second = await page.context().newPage();
  await second.goto('/topics');
  await second.getByText('1 unread').waitFor();
  await putBehind(page);
  await page.goto('/notifications');
  await page.waitForTimeout(2_500);
  assert.equal(await unreadIn(page), '1');
  await bringInFront(page);
  await page.locator('#top[data-unread="0"]').waitFor({ state: 'attached' });
  await page.locator('.unread').waitFor({ state: 'hidden' });
  await second.locator('.unread').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('.dot').count(), 1);
  // One that arrives while the page is open is seen too.
  await follow(username);
  await page.locator('.notification').nth(1).waitFor();
  await page.locator('#top[data-unread="0"]').waitFor({ state: 'attached' });
  assert.equal(await page.locator('.dot').count(), 1);
  await page.reload();
  assert.equal(await page.locator('.dot').count(), 0);
  assert.equal(await unreadIn(page), '0');
  assert.deepEqual(complaints, []);
});

test('a kind, and a page of older ones, mark nothing by being seen', options, async () => {
  await using person = await people.join();
  const { page, complaints, username } = person;
  await follow(username);
  // Both at once: each has to be in front for longer than it takes to be read.
  const second = await page.context().newPage();
  await page.goto('/notifications?kind=followers');
  await second.goto(`/notifications?cursor=${'Z'.repeat(26)}`);
  await second.waitForTimeout(2_500);
  await page.goto('/topics');
  assert.equal(await unreadIn(page), '1');
  assert.deepEqual(complaints, []);
});
