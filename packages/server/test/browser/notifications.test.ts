// Notifications in a real browser: they arrive without a reload, in every tab, and are used by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';
import { until } from '../throw-away-database.ts';

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
  // A tab that has just come to the front may not get keys yet. There is one group: the key does no more later.
  await page.bringToFront();
  await until('the key arrives', async () => {
    await page.keyboard.press('j');
    return (await page.locator('.group:focus').count()) === 1;
  });
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
