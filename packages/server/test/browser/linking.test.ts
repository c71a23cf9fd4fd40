// Linking articles in a real browser: by title, by address, from another’s page, without scripts, by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { untilSettled } from '#test/edges';
import { freshName } from '#test/harness';
import { drawSample } from '../faults/sampled.ts';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { Device, People, Person } from './people.ts';

const options = { skip: noBrowser };

let people: People;
let theirs: string;
before(async () => {
  if (noBrowser !== false) return;
  people = await openPeople();
  const author = await people.server.register();
  const made = await people.server.published(author, { title: 'Tidal pools of the north' });
  theirs = new URL(String(made.url)).pathname;
  await untilSettled(people.server);
});
after(() => people?.[Symbol.asyncDispose]());

/** Publishes an article of the person, with their session; returns its path. */
async function publish({ page }: Person): Promise<string> {
  await page.goto('/');
  const sessions = await page.context().cookies();
  const cookie = sessions.map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = { cookie, origin: people.server.baseUrl, 'sec-fetch-site': 'same-origin' };
  const { server } = people;
  const body = { title: 'My own pools', content: 'A text.' };
  const draft = await server.ask('POST', '/-/v1/articles', { key: true, headers, body });
  const at = `/-/v1/articles/${draft.body.id}/publish`;
  const made = await server.ask('POST', at, { key: true, headers, body: {} });
  return new URL(String(made.body.url)).pathname;
}

async function addAndRemove(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('link', { name: 'Link this article to another work' }).click();
  await page.getByLabel('What does this article link to?').fill('pools north');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Choose', exact: true }).click();
  await page.getByLabel('How are they linked?').selectOption('extends');
  await page.getByLabel('Note').fill('"><img src=x onerror=alert(1)>');
  await page.getByRole('button', { name: 'Add link' }).click();
  await page.getByText('"><img src=x onerror=alert(1)>').waitFor();
  await page.reload();
  const connections = page.locator('#connections');
  assert.match((await connections.textContent()) ?? '', /Extends Tidal pools of the north/);
  await connections.getByText('Remove', { exact: true }).click();
  await page.getByRole('button', { name: 'Remove this link' }).click();
  await page.getByText('Extends').waitFor({ state: 'detached' });
}

const devices: Readonly<Record<string, Device>> = {
  'with scripts': {},
  'without scripts': { withoutScripts: true },
  'on a phone': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
};

for (const [name, device] of drawSample(Object.entries(devices), 1)) {
  test(`a link by the words of a title, and its removal, ${name}`, options, async () => {
    await using person = await people.join(freshName(), device);
    await addAndRemove(person.page, await publish(person));
    assert.deepEqual(person.complaints, []);
  });
}

test('a pasted address, without a reload', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  await page.goto(await publish(person));
  await page.evaluate(() => document.body.setAttribute('data-kept', ''));
  await page.getByRole('link', { name: 'Link this article to another work' }).click();
  await page.locator('#link:focus').waitFor();
  await page.keyboard.type('https://e.example/"><b>');
  await page.keyboard.press('Enter');
  await page.getByText('No article has these words').waitFor();
  await page.getByLabel('What does this article link to?').fill('https://e.example/a');
  await page.keyboard.press('Enter');
  await page.getByLabel('How are they linked?').selectOption('reviews');
  await page.getByRole('button', { name: 'Add link' }).click();
  await page.getByRole('link', { name: 'https://e.example/a' }).waitFor();
  assert.equal(await page.locator('[data-kept]').count(), 1, 'the page was not loaded again');
  assert.deepEqual(complaints, []);
});

test('by keyboard alone, from another’s page', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  await publish(person);
  await page.goto(theirs);
  await page.getByRole('link', { name: 'Link one of your articles to this one' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('#source:focus').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Replies');
  await page.keyboard.press('Tab');
  await page.keyboard.type('My answer');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('My answer').waitFor();
  assert.match(await page.evaluate('document.activeElement.id'), /^edge-/);
  assert.match(
    (await page.locator('#connections').textContent()) ?? '',
    /Answered by My own pools/,
  );
  assert.deepEqual(complaints, []);
});
