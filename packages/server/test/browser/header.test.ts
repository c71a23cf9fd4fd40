// The header of every page on a phone: two rows, and the keyboard goes through it in the order that is seen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freshName } from '#test/harness';
import { noBrowser } from './browser.ts';
import { misfits } from './layout.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };
const viewport = { width: 390, height: 800 };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

/** Returns the links of the header as the keyboard meets them, with the row that each is seen in. */
async function linksOf(page: Page): Promise<readonly { text: string; row: number }[]> {
  await page.goto('/topics');
  await page.keyboard.press('Tab');
  const links: { text: string; top: number }[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const link = await page.evaluate(() => {
      const one = document.activeElement;
      if (!one?.closest('.top')) return null;
      const { y, height } = one.getBoundingClientRect();
      return { text: one.textContent.trim(), top: y + height / 2 };
    });
    if (link === null) break;
    links.push(link);
  }
  const [first] = links;
  return links.map(({ text, top }) => ({
    text,
    row: Math.abs(top - (first?.top ?? 0)) < 12 ? 1 : 2,
  }));
}

const places = ['Latest', 'Trending', 'Topics', 'Search'].map((text) => ({ text, row: 2 }));
const inFirst = (text: string) => ({ text, row: 1 });

test('signed out: the name and the account, then the places', options, async () => {
  await using visitor = await people.visit({ viewport });
  assert.deepEqual(await linksOf(visitor.page), [
    ...['Colophon', 'Sign in', 'Join'].map(inFirst),
    ...places,
  ]);
});

test('signed in, with unread notifications: two rows too', options, async () => {
  await using reader = await people.join(undefined, { viewport });
  const { server } = people;
  const { body: me } = await server.ask('GET', `/v1/usernames/${reader.username}`);
  const body = { principal_id: me.id };
  for (let time = 0; time < 2; time += 1) {
    const { token } = await server.register();
    await server.ask('POST', '/v1/follows', { token, key: true, body });
  }
  assert.deepEqual(await linksOf(reader.page), [
    ...['Colophon', 'Write', 'Notifications 2 unread', 'Settings'].map(inFirst),
    ...places,
  ]);
  const wide = await reader.page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(wide, viewport.width);
});

// The only server of these tests that has no articles.
test(
  'an empty front page says what to do first, to strangers and to the signed-in',
  options,
  async () => {
    await using visitor = await people.visit();
    const { page } = visitor;
    await page.goto('/');
    assert.deepEqual(await misfits(page), []);
    await page.getByRole('link', { name: 'Join and write' }).click();
    await page.getByRole('heading', { name: 'Join', level: 1 }).waitFor();
    await page.getByLabel('Username').fill(freshName());
    await page.getByRole('button', { name: 'Join with a passkey' }).click();
    await page.getByRole('link', { name: 'Go on' }).click();
    await page.locator('.editor[data-ready]').waitFor();
    await page.goto('/');
    assert.deepEqual(await misfits(page), []);
    await page.getByRole('link', { name: 'Write the first article' }).click();
    await page.waitForURL('**/write');
    assert.deepEqual(visitor.complaints, []);
  },
);
