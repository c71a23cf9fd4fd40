// What went wrong is seen where a form stands at the edge of the window, and moves nothing in the moderators’ queue.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ordinaryScopes } from '@colophon/contract';
import { storeToken } from '#test/accounts';
import { report } from '#test/reports';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People, Person } from './people.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

async function aModerator(): Promise<Person> {
  const person = await people.join();
  const { body } = await people.server.ask('GET', `/v1/usernames/${person.username}`);
  await storeToken(people.server, body.id, [...ordinaryScopes, 'admin:moderate']);
  return person;
}

async function aReport(): Promise<string> {
  const { server } = people;
  const { id } = await server.published(await server.register(), { title: 'Stones for sale' });
  return report(server, { target_type: 'article', target_id: id });
}

test('a fault below a button at the edge of the window is brought into view', options, async () => {
  const { server } = people;
  const { url } = await server.published(await server.register());
  await using person = await people.join();
  const { page } = person;
  await page.setViewportSize({ width: 360, height: 600 });
  await page.goto(url);
  await page.route(/form=comment/, (route) => route.abort());
  await page.getByLabel('Write a comment').fill('Seen.');
  const button = page.getByRole('button', { name: 'Comment', exact: true });
  await button.evaluate((one) => one.scrollIntoView({ block: 'end' }));
  await button.press('Enter');
  const fault = page.getByText('The service cannot be reached');
  await fault.waitFor();
  const [bottom, height] = await fault.evaluate((one) => [
    one.getBoundingClientRect().bottom,
    window.innerHeight,
  ]);
  assert.ok(Number(bottom) <= Number(height), `${bottom} of ${height}`);
});

test('a refused claim moves nothing in its row, at any width', options, async () => {
  const id = await aReport();
  await using moderator = await aModerator();
  const { page } = moderator;
  await page.route(/form=claim/, (route) => {
    const detail =
      'Another moderator has claimed the report until tomorrow. Choose another report.';
    const body = JSON.stringify({ detail });
    return route.fulfill({ status: 409, contentType: 'application/problem+json', body });
  });
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/moderation');
    const row = page.locator('.desk-row', { has: page.locator(`[data-standing="${id}"]`) });
    const boxes = () =>
      row.locator('h2, button').evaluateAll((found) =>
        found.map((one) => {
          const { x, y, width: wide, height } = one.getBoundingClientRect();
          return [x, y + window.scrollY, wide, height].map(Math.round);
        }),
      );
    const earlier = await boxes();
    await row.getByRole('button', { name: 'Claim' }).click();
    await row.getByText('Choose another report').waitFor();
    assert.deepEqual(await boxes(), earlier, `at ${width} px`);
  }
});

test(
  'who comes back to a report that was decided does not read that it is claimed',
  options,
  async () => {
    const id = await aReport();
    await using moderator = await aModerator();
    const { page } = moderator;
    await page.goto(`/moderation/reports/${id}`);
    await page.keyboard.press('c');
    await page.getByText('The report is yours').waitFor();
    const address = page.url();
    await page.keyboard.press('d');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.goto(address);
    await page.getByText('This report is closed.').waitFor();
    assert.equal(await page.getByText('The report is yours').count(), 0);
  },
);
