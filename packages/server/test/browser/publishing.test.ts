// From a draft to an erased article in a real browser: by keyboard, at 390 pixels; and an agent's draft approved.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { storeToken } from '#test/accounts';
import { untilSettled } from '#test/edges';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { noBrowser } from './browser.ts';
import { misfits } from './layout.ts';
import { openPeople } from './people.ts';
import type { People, Person } from './people.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

const phone = { viewport: { width: 390, height: 844 } };

interface Sent {
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends JSON as a script of the page does, with the session. */
function post(page: Page, sent: Sent): Promise<Record<string, string>> {
  return page.evaluate(async ({ path, body, headers }) => {
    const response = await fetch(`/-/v1${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, string>;
  }, sent);
}

/** Moves the focus with the keyboard alone. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 120; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`The keyboard does not reach ${String(target)}.`);
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

async function assertNarrow({ page }: Person): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, 390, page.url());
}

const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'This article' }).getByRole('link', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Two topics begin like what is typed, one contains it: the second one is taken by keyboard. */
async function takeSuggestion(page: Page): Promise<void> {
  const topic = page.getByRole('combobox', { name: 'Topic 1', exact: true });
  const shown = page.getByRole('listbox', { name: 'Topics that exist' }).getByRole('option');
  await page.keyboard.type('mos');
  assert.deepEqual(await shown.allInnerTexts(), ['Moss', 'Mossy walls', 'Peat and moss']);
  assert.deepEqual(await misfits(page), []);
  await page.keyboard.press('Escape');
  assert.equal(await shown.count(), 0);
  assert.equal(await topic.inputValue(), 'mos', 'what was typed stays');
  for (const [key, id] of [
    ['ArrowDown', 'suggestion-0'],
    ['ArrowUp', null],
    ['ArrowUp', 'suggestion-2'],
    ['ArrowDown', null],
    ['ArrowDown', 'suggestion-0'],
  ] as const) {
    await page.keyboard.press(key);
    assert.equal(await topic.getAttribute('aria-activedescendant'), id);
  }
  assert.equal(await shown.first().getAttribute('aria-selected'), 'true');
  await page.keyboard.press('Enter');
  assert.equal(await topic.inputValue(), 'Moss');
  assert.equal(await shown.count(), 0, 'Enter took it and sent nothing');
  await page.keyboard.press('Tab');
  await page.keyboard.type('mos');
  assert.deepEqual(
    await shown.allInnerTexts(),
    ['Mossy walls', 'Peat and moss'],
    'not a second time',
  );
  await page.getByRole('option', { name: 'Peat and moss' }).click();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'topic-2');
  assert.equal(await page.getByLabel('Topic 2', { exact: true }).inputValue(), 'Peat and moss');
}

/** The note after publishing has the focus, so that it is read out, and is gone after a reload. */
async function assertSaidOnce(page: Page): Promise<void> {
  await page.waitForURL((url) => url.search === '' && url.hash === '');
  const said = page
    .getByRole('status')
    .filter({ hasText: 'Published. Readers see this text now.' });
  assert.ok(await said.evaluate((element) => element === document.activeElement));
  assert.deepEqual(await misfits(page), []);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.equal(await said.count(), 0);
}

test('draft, details, publish, history, take again, private, erase', options, async () => {
  await using person = await people.join(undefined, phone);
  const { page, complaints } = person;
  const [writer, { server }] = [await people.server.register(), people];
  for (const topics of [['Peat and moss', 'Lichen'], ['Mossy walls'], ['Moss'], ['Moss']])
    await server.published(writer, { title: 'Of topics', metadata: { topics } });
  await untilSettled(server);
  const text = 'Moss grows slowly.\n\nNobody counts the years.\n';
  const draft = await post(page, {
    path: '/articles',
    body: { title: 'On moss', content: text },
  });
  const id = draft['id'] ?? '';

  await page.goto('/articles');
  await assertNarrow(person);
  await press(page, page.getByRole('link', { name: 'Publish “On moss”' }));
  await page.getByRole('heading', { name: 'Publish', level: 1 }).waitFor();
  await assertNarrow(person);

  // Of ten fields for topics one is seen; the next one appears when it is filled.
  assert.equal(await page.getByPlaceholder('Add a topic').filter({ visible: true }).count(), 1);
  await tabTo(page, page.getByLabel('Topic 1', { exact: true }));
  await page.keyboard.type('!');
  await press(page, button(page, 'Save details'));
  await page.getByText('This must have 2 to 50 letters or digits').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'topic-1');
  await page.keyboard.press('ControlOrMeta+A');
  await takeSuggestion(page);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Slow living');
  await tabTo(page, page.getByLabel('Description'));
  await page.keyboard.type('About moss.');
  await press(page, button(page, 'Save details'));
  await page.getByText('The details are saved.').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'said');
  assert.ok(await page.getByRole('link', { name: 'slow-living' }).isVisible());

  await press(page, button(page, 'Publish'));
  await page.getByRole('heading', { name: 'On moss', level: 1 }).waitFor();
  await assertSaidOnce(page);
  assert.match(page.url(), /on-moss-\w+$/);

  const published = (await people.server.ask('GET', `/v1/articles/${id}`)).body;
  await post(page, {
    path: `/articles/${id}/revisions`,
    headers: { 'if-match': `"${published.revision_id}"` },
    body: { content: text.replace('slowly', 'very slowly') },
  });
  await page.goto(`/write/${id}/history`);
  await assertNarrow(person);
  await press(page, page.getByRole('link', { name: 'Changes of this revision' }).first());
  await page.getByRole('heading', { name: 'What changed' }).waitFor();
  assert.equal(await page.locator('ins mark').innerText(), 'very ');
  await press(page, button(page, 'Take this text again').first());
  await page.getByText('The text is taken again').waitFor();
  assert.equal(await button(page, 'Take this text again').count(), 3);

  await press(page, link(page, 'Preview'));
  await page.getByText('Only you can see this page').waitFor();
  await assertNarrow(person);
  await press(page, link(page, 'Remove'));
  await page.getByRole('heading', { name: 'Remove', level: 1 }).waitFor();
  await assertNarrow(person);
  await press(page, button(page, 'Make it private'));
  await page.getByText('The article is private now').waitFor();
  assert.equal((await people.server.ask('GET', `/v1/articles/${id}`)).status, 404);

  await press(page, page.getByRole('link', { name: 'Remove “On moss”' }));
  await tabTo(page, page.getByLabel('Type “erase” to confirm'));
  await page.keyboard.type('no');
  await page.keyboard.press('Enter');
  await page.getByText(/^This must be/).waitFor();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('erase');
  await press(page, button(page, 'Erase for ever'));
  await page.getByText('The article is erased.').waitFor();
  assert.equal((await page.goto(`/write/${id}/history`))?.status(), 410);
  assert.deepEqual(complaints, []);
});

test('an agent’s draft, reviewed and published in one press with a passkey', options, async () => {
  await using person = await people.join(undefined, phone);
  const { page, complaints, username } = person;
  const { server } = people;
  const body = { username: `of-${username}`.slice(0, 30), model: 'A model' };
  const { principal_id: agentId = '' } = await post(page, {
    path: '/agents',
    body,
  });
  const token = await storeToken(server, agentId, ['articles:read', 'articles:write']);
  const agent = { id: agentId, username: body.username, token };
  const { id } = await server.draft(agent, { title: 'Found on the shore' });
  // As if the person had joined long ago: issuing a token asks for the passkey.
  await server.db.transaction((tx) =>
    tx.run(sql`
      update sessions set checked_at = null
      where bucket = ${bucketOf(agentId)}
        and principal_id = (
          select owner_principal_id from principals
          where bucket = ${bucketOf(agentId)} and id = ${agentId}
        )`),
  );
  await page.goto('/articles');
  await press(page, page.getByRole('link', { name: 'By your agents' }));
  await press(page, page.getByRole('link', { name: 'Review “Found on the shore”' }));
  await page.getByRole('heading', { name: 'Found on the shore', level: 1 }).waitFor();
  await assertNarrow(person);
  await press(page, button(page, 'Publish it'));
  await page.waitForURL(/found-on-the-shore-/);
  await assertSaidOnce(page);
  const article = (await server.ask('GET', `/v1/articles/${id}`)).body;
  assert.equal(article.status, 'published');
  assert.equal(article.author.id, agentId);
  assert.deepEqual(complaints, []);
});

test(
  'without scripts: publishing and taking back are the same pages, with reloads',
  options,
  async () => {
    await using person = await people.join(undefined, { withoutScripts: true });
    const { page, complaints } = person;
    const { id } = await people.server.draft(await people.server.register());
    assert.equal((await page.goto(`/write/${id}/publish`))?.status(), 404);
    const created = await page.context().request.post('/-/v1/articles', {
      headers: { origin: people.server.baseUrl, 'idempotency-key': crypto.randomUUID() },
      data: { title: 'Plain', content: 'Text.' },
    });
    const made = (await created.json()) as { readonly id: string };
    await page.goto(`/write/${made.id}/publish`);
    await page.getByLabel('Unlisted').check();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('heading', { name: 'Plain', level: 1 }).waitFor();
    await page.getByText('Published. Readers see this text now.').waitFor();
    await page.goto(`/write/${made.id}/remove`);
    const last = page.getByRole('button', { name: 'Delete for good' });
    assert.equal(await last.isVisible(), false);
    await page.locator('summary', { hasText: 'Delete the article' }).click();
    await last.click();
    await page.getByText('The article is deleted.').waitFor();
    assert.deepEqual(complaints, []);
  },
);
