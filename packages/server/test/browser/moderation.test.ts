// The moderation desk in a real browser: a report from its filing to the public statement, by keyboard; live claims.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ordinaryScopes } from '@colophon/contract';
import type { Page } from 'playwright-core';
import { storeToken } from '#test/accounts';
import { ageCheck } from '#test/desk';
import { age, read, report } from '#test/reports';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People, Person } from './people.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

interface Account extends Person {
  readonly id: string;
  readonly token: string;
}

async function account(isModerator: boolean): Promise<Account> {
  const person = await people.join();
  const { body } = await people.server.ask('GET', `/v1/usernames/${person.username}`);
  const scopes = [...ordinaryScopes, ...(isModerator ? (['admin:moderate'] as const) : [])];
  return { ...person, id: body.id, token: await storeToken(people.server, body.id, scopes) };
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 });

/** Presses keys one after the other: nobody at the desk uses a mouse. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test(
  'report, claim, hide, seen by the author, appeal, restored by another, public statement',
  options,
  async () => {
    const { server } = people;
    await using author = await account(false);
    await using moderator = await account(true);
    await using colleague = await account(true);
    await using stranger = await people.visit();
    const { url, id } = await server.published(author, {
      title: 'Stones for sale',
      content: 'Buy my stones.',
    });
    const path = new URL(url).pathname;

    await stranger.page.goto(path);
    await stranger.page.getByRole('link', { name: 'Report this article' }).click();
    await stranger.page.getByText('advertising, or the same text').click();
    await stranger.page.getByLabel('Tell us more').fill('It is an advertisement.');
    await stranger.page.getByRole('button', { name: 'Send report' }).click();
    await heading(stranger.page, 'Thank you').waitFor();

    const desk = moderator.page;
    await desk.goto('/moderation');
    await press(desk, 'j', 'Enter');
    await heading(desk, 'Spam: Article').waitFor();
    await desk.getByText('It is an advertisement.').waitFor();
    assert.equal(await desk.locator('.desk img').count(), 0);
    await press(desk, 'c');
    await desk.getByText('The report is yours').waitFor();
    await press(desk, '1', 'w');
    await desk.keyboard.type('Take the price out.');
    const preview = desk.locator('[data-preview]');
    assert.match(await preview.innerText(), /A moderator hid your article/);
    assert.match(await preview.innerText(), /Take the price out/);
    await press(desk, 'Escape', 's');
    await desk.getByText('The action is carried out').waitFor();
    assert.equal((await server.ask('GET', `/v1/articles/${id}`)).status, 404);

    await author.page.goto(path);
    await author.page.getByText('A moderator has hidden this article').waitFor();
    await author.page.getByRole('link', { name: 'Read the decision, or appeal it' }).click();
    await heading(author.page, 'A moderator hid your article.').waitFor();
    for (const words of ['Take the price out.', 'Buy my stones.'])
      await author.page.getByText(words).waitFor();
    await author.page.getByLabel('Why is the decision wrong?').fill('It is a poem about a shop.');
    await author.page.getByRole('button', { name: 'Send the appeal' }).click();
    await author.page.getByText('Your appeal is sent.').waitFor();

    await desk.goto('/moderation/appeals');
    await press(desk, 'j', 'Enter');
    await desk.getByText('Another moderator decides').waitFor();
    assert.equal(await desk.getByRole('button', { name: 'Uphold' }).count(), 0);

    const other = colleague.page;
    await other.goto('/moderation/appeals');
    await press(other, 'j', 'Enter');
    await other.getByText('It is a poem about a shop.').waitFor();
    await press(other, 's');
    await other.getByText('The appeal is upheld.').waitFor();
    assert.equal((await server.ask('GET', `/v1/articles/${id}`)).status, 200);

    await author.page.reload();
    await author.page.getByText('Your appeal was right.').waitFor();
    await stranger.page.goto('/transparency');
    await stranger.page.getByRole('row', { name: /Hidden.*Spam.*Upheld/ }).waitFor();
    await stranger.page.getByRole('row', { name: /Restored.*Appeal upheld/ }).waitFor();
    for (const person of [author, moderator, colleague, stranger])
      assert.deepEqual(person.complaints, []);
  },
);

test('without a mouse: a queue of reports is cleared, one after the other', options, async () => {
  const { server } = people;
  await using moderator = await account(true);
  const writer = await server.register();
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const { id: target_id } = await server.published(writer, { title: `Stone ${count}` });
    ids.push(await report(server, { target_type: 'article', target_id, category: 'injection' }));
  }
  const { page } = moderator;
  await page.goto('/moderation?category=injection');
  await press(page, 'j', 'Enter');
  await page.waitForURL(/\/moderation\/reports\//);
  for (const [at, id] of ids.entries()) {
    await page.locator(`[data-report="${id}"]`).waitFor();
    if (at % 2 === 0) {
      await press(page, '1', 's');
    } else {
      await press(page, 'd');
      await page.locator('#resolution:focus').waitFor();
      await press(page, 'Control+Enter');
    }
    await page.waitForURL((url) => !url.pathname.endsWith(id));
  }
  await page.getByText('No report is open').waitFor();
  for (const [at, id] of ids.entries()) {
    const { body } = await read(server, moderator, id);
    assert.equal(body.status, at % 2 === 0 ? 'actioned' : 'rejected');
  }
  assert.deepEqual(moderator.complaints, []);
});

test(
  'what another moderator claims is seen at once in the queue and in the report',
  options,
  async () => {
    const { server } = people;
    await using moderator = await account(true);
    const colleague = await account(true);
    const id = await report(server, { category: 'copyright' });
    const { page } = moderator;
    await page.goto('/moderation?category=copyright');
    const mark = page.locator(`[data-standing="${id}"]`);
    await mark.getByText('Open').waitFor();
    const asked = { token: colleague.token, body: { status: 'reviewing' } };
    assert.equal(
      (await server.ask('POST', `/v1/moderation/reports/${id}/review`, asked)).status,
      200,
    );
    await mark.getByText(`Claimed by @${colleague.username}`).waitFor();
    await page.locator('.desk-row.taken').waitFor();
    const before = await server.ask('GET', `/v1/moderation/reports/${id}`, {
      token: colleague.token,
    });
    assert.equal(before.body.status, 'reviewing');
    await page.goto(`/moderation/reports/${id}`);
    await page.getByText('Take the next one').waitFor();
    await age(server, id, 24);
    await mark.getByText('Open').first().waitFor();
    await colleague[Symbol.asyncDispose]();
    assert.deepEqual(moderator.complaints, []);
  },
);

test('an old session confirms with the passkey, and the desk opens', options, async () => {
  await using moderator = await account(true);
  const { page } = moderator;
  await ageCheck(people.server, moderator, 13 * 60);
  await page.goto('/moderation/appeals');
  await page.getByRole('button', { name: 'Open the desk' }).click();
  await heading(page, 'Appeals').waitFor();
  assert.deepEqual(moderator.complaints, []);
});
