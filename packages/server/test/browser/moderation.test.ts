// The moderation desk in a real browser: a report from its filing to the public statement, by keyboard; live claims.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ordinaryScopes } from '@colophon/contract';
import type { Page } from 'playwright-core';
import { storeToken } from '#test/accounts';
import { sendAppeal } from '#test/appeals';
import { ageCheck } from '#test/desk';
import { act } from '#test/moderators';
import { age, read, report } from '#test/reports';
import { effort } from '../effort.ts';
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
    assert.match(await preview.innerText(), /Readers will see “Page not found”/);
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

test('by keys: an appeal is rejected with its answer, and not before', options, async () => {
  const { server } = people;
  const [author, first] = [await server.register(), await account(true)];
  await using colleague = await account(true);
  const article = await server.published(author);
  const target = { target_type: 'article', target_id: article.id } as const;
  const hidden = await act(server, first, { ...target, action: 'hide' });
  const id = await sendAppeal(server, author, hidden.id);
  await first[Symbol.asyncDispose]();
  const { page } = colleague;
  await page.goto(`/moderation/appeals/${id}`);
  await heading(page, 'Appeal: Article').waitFor();
  await press(page, 'w');
  await page.locator('#uphold_text:focus').waitFor();
  await press(page, 'Escape', 'd');
  await page.locator('#resolution:focus').waitFor();
  await page.keyboard.type('It is still spam.');
  await press(page, 'Control+Enter');
  await page.getByText('The appeal is rejected.').waitFor();
  const { body } = await server.ask('GET', `/v1/moderation/appeals/${id}`, {
    token: colleague.token,
  });
  assert.deepEqual([body.status, body.resolution], ['rejected', 'It is still spam.']);
  assert.deepEqual(colleague.complaints, []);
});

/** Clears what the report on the screen is about, in one of the ways of a desk, by keys alone. */
const ways = {
  hide: { status: 'actioned', keys: (page: Page) => press(page, '1', 's') },
  reject: {
    status: 'rejected',
    keys: async (page: Page) => {
      await press(page, 'd');
      await page.locator('#resolution:focus').waitFor();
      await press(page, 'Control+Enter');
    },
  },
  claimAndWarn: {
    status: 'actioned',
    keys: async (page: Page) => {
      await press(page, 'c');
      await page.getByText('The report is yours').waitFor();
      const warn = page.locator('.acts label', { has: page.locator('[value="warn"]') });
      await press(page, await warn.locator('kbd').innerText(), 'w');
      await page.keyboard.type('Say where the text is from.');
      await press(page, 'Control+Enter');
    },
  },
} as const;

/** Files reports on articles, with so many on each; returns their ids by article, in the order of the queue. */
async function fileReports(counts: readonly number[]): Promise<readonly (readonly string[])[]> {
  const { server } = people;
  const writer = await server.register();
  const filed: string[][] = [];
  for (const [index, count] of counts.entries()) {
    const { id: target_id } = await server.published(writer, { title: `Stone ${index}` });
    const ids: string[] = [];
    for (let times = 0; times < count; times += 1)
      ids.push(await report(server, { target_type: 'article', target_id, category: 'injection' }));
    filed.push(ids);
  }
  return filed;
}

/** The number of reports on each article. The first five are cleared in every way; in a long run there are 30. */
const filedOn = [1, 6, 1, 1, 8, 1, 1, 1, 5, 1, 1, 1, 1, 1].slice(0, effort(5, 14));

test('without a mouse: a queue of reports is cleared', options, async () => {
  const { server } = people;
  await using moderator = await account(true);
  const filed = await fileReports(filedOn);
  const count = String(filed.flat().length);
  const wayOf = (index: number, count: number) =>
    count > 1 ? ways.hide : ([ways.hide, ways.reject, ways.claimAndWarn][index % 3] ?? ways.hide);
  const { page } = moderator;
  await page.goto('/moderation?category=injection');
  await page.locator('#open-count').getByText(count, { exact: true }).waitFor();
  await press(page, 'j', 'Enter');
  await page.waitForURL(/\/moderation\/reports\//);
  for (const [index, [first = '', ...more]] of filed.entries()) {
    await page.locator(`[data-report="${first}"]`).waitFor();
    await wayOf(index, 1 + more.length).keys(page);
    await page.waitForURL((url) => !url.pathname.endsWith(first));
  }
  await page.getByText('No report is open').waitFor();
  for (const [index, ids] of filed.entries()) {
    for (const id of ids) {
      const { body } = await read(server, moderator, id);
      assert.equal(body.status, wayOf(index, ids.length).status, `${index} ${id}`);
    }
  }
  const { body } = await server.ask('GET', '/v1/moderation/actions?limit=100', {});
  assert.ok(body.items.length >= filedOn.length / 2);
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
    // The page asks every five seconds, which pass at once here.
    await page.clock.install();
    const passTime = () => page.clock.fastForward(5_000);
    await page.goto('/moderation?category=copyright');
    const mark = page.locator(`[data-standing="${id}"]`);
    await mark.getByText('Open').waitFor();
    const asked = { token: colleague.token, body: { status: 'reviewing' } };
    assert.equal(
      (await server.ask('POST', `/v1/moderation/reports/${id}/review`, asked)).status,
      200,
    );
    await passTime();
    await mark.getByText(`Claimed by @${colleague.username}`).waitFor();
    await page.locator('.desk-row.taken').waitFor();
    const before = await server.ask('GET', `/v1/moderation/reports/${id}`, {
      token: colleague.token,
    });
    assert.equal(before.body.status, 'reviewing');
    await page.goto(`/moderation/reports/${id}`);
    await page.getByText('Take the next one').waitFor();
    await age(server, id, 24);
    await passTime();
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
