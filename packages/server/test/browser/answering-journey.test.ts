// A conversation of two people in real browsers: comment, reply, link, follow, report, deletion.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freshName } from '#test/harness';
import { drawSample } from '../faults/sampled.ts';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { Device, People, Person } from './people.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

/** Publishes an article with the session of the person; returns its path. */
async function publish({ page }: Person, title: string): Promise<string> {
  const cookies = await page.context().cookies();
  const headers = {
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    origin: people.server.baseUrl,
    'sec-fetch-site': 'same-origin',
  };
  const { server } = people;
  const asked = { key: true, headers } as const;
  const body = { title, content: 'A *text* to answer.' };
  const draft = await server.ask('POST', '/-/v1/articles', { ...asked, body });
  const path = `/-/v1/articles/${draft.body.id}/publish`;
  const made = await server.ask('POST', path, { ...asked, body: {} });
  return new URL(String(made.body.url)).pathname;
}

async function send(page: Page, field: string, text: string, stance?: string): Promise<void> {
  await page.locator(`#${field}`).fill(text);
  const choice = field === 'comment' ? '#stance' : '#reply-stance';
  if (stance !== undefined) await page.locator(choice).selectOption(stance);
  const label = field === 'comment' ? 'Comment' : 'Reply';
  await page.getByRole('button', { name: label, exact: true }).click();
  await page.locator('.comment').getByText(text).waitFor();
}

const devices: Readonly<Record<string, Device>> = {
  'on wide screens': {},
  'on phones': { viewport: { width: 390, height: 844 } },
};

for (const [name, device] of drawSample(Object.entries(devices), 1, 'answering')) {
  test(`two people answer each other ${name}`, options, async () => {
    await using ada = await people.join(freshName(), device);
    await using ben = await people.join(freshName(), device);
    const article = await publish(ada, 'What the tide leaves behind');
    await publish(ben, 'An answer to the tide');
    await ben.page.goto(article);
    await send(ben.page, 'comment', 'Have you seen the north?', 'asks');
    assert.ok(await ben.page.getByText('asks', { exact: true }).isVisible());
    await ada.page.goto(article);
    await ada.page.getByRole('link', { name: 'Reply' }).click();
    await send(ada.page, 'reply', 'Yes, last summer.', 'clarifies');
    await ben.page.reload();
    await ben.page.getByText('Yes, last summer.').waitFor();
    await ben.page.getByRole('link', { name: 'Link one of your articles to this one' }).click();
    await ben.page.getByLabel('How are they linked?').selectOption('replies_to');
    await ben.page.getByRole('button', { name: 'Add link' }).click();
    await ben.page.getByText('Answered by').waitFor();
    await ben.page.getByRole('button', { name: `Follow @${ada.username}` }).click();
    await ben.page.getByRole('button', { name: `Unfollow @${ada.username}` }).waitFor();
    await ada.page.reload();
    await ada.page.getByRole('link', { name: 'An answer to the tide' }).waitFor();
    await ben.page.locator('.comment').getByRole('link', { name: 'Report' }).click();
    await ben.page.getByRole('radio', { name: 'Something else' }).check();
    await ben.page.getByRole('button', { name: 'Send report' }).click();
    await ben.page.getByRole('link', { name: 'Back to the comment' }).click();
    await ben.page.getByText('Yes, last summer.').waitFor();
    await ben.page.getByRole('link', { name: 'First comments' }).click();
    await ben.page.getByText('Delete', { exact: true }).click();
    await ben.page.getByRole('button', { name: 'Delete for good' }).click();
    await ben.page.getByText('This comment was deleted').waitFor();
    await ada.page.reload();
    assert.ok(await ada.page.getByText('This comment was deleted').isVisible());
    assert.ok(await ada.page.getByText('Yes, last summer.').isVisible());
    const wide = 'document.documentElement.scrollWidth - window.innerWidth';
    assert.ok(Number(await ada.page.evaluate(wide)) <= 0);
    assert.deepEqual([...ada.complaints, ...ben.complaints], []);
  });
}
