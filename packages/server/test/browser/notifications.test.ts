// Notifications in a real browser: they arrive without a reload, in every tab, and are used by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

test('a new follower is counted in both tabs and listed without a reload', options, async () => {
  await using person = await people.join();
  const { page, complaints, username } = person;
  const { server } = people;
  const second = await page.context().newPage();
  await second.goto('/topics');
  await page.goto('/notifications');
  await page.getByText('No notifications yet.').waitFor();
  const follower = await server.register();
  const { body } = await server.ask('GET', `/v1/usernames/${username}`);
  const { id } = body;
  await server.ask('POST', '/v1/follows', { token: follower.token, body: { principal_id: id } });
  await page.getByText('follows you').waitFor();
  await second.getByText('1 unread').waitFor();
  assert.equal(await page.locator('.count').innerText(), '1');
  // A tab in the background may not get keys.
  await page.bringToFront();
  await page.keyboard.press('j');
  await page.locator('.group:focus').waitFor();
  const another = await server.register();
  await server.ask('POST', '/v1/follows', { token: another.token, body: { principal_id: id } });
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
  await page.waitForURL(`**/@${another.username}`);
  assert.deepEqual(complaints, []);
});
