// Nothing that was typed is lost: killed browsers, crashed tabs, lost answers, ended sessions, two tabs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { drawSample } from '../../faults/sampled.ts';
import { noBrowser } from '../browser.ts';
import {
  articleOf,
  keptIn,
  openEditor,
  save,
  typeAtEnd,
  typedIn,
  waitForStatus,
} from './editor.ts';
import { openProfile } from './killed-browser.ts';
import { writingIn } from './writing.ts';

const options = { skip: noBrowser };

const writing = writingIn();

/** The answer of a proxy while the service behind it restarts. */
const ofProxy = { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' };

const sentence = 'Moss has no roots, no flowers and no seeds; it drinks with its leaves.';

/** Types in mid-sentence until some of it is in IndexedDB, and returns what was there last. */
async function typeSome(page: Page): Promise<string> {
  const typing = typeAtEnd(page, sentence).catch(() => undefined);
  let kept = '';
  while (kept.length < 12) kept = (await keptIn(page)).map(({ content }) => content).join('');
  await Promise.race([typing, new Promise((done) => setTimeout(done, 60))]);
  return (await keptIn(page)).map(({ content }) => content).join('');
}

test(
  'the browser is killed in mid-sentence: what was written to the disk is there',
  options,
  async () => {
    await using profile = await openProfile(writing.people.server.baseUrl);
    const page = await profile.start();
    await writing.writer.signIn(page.context());
    await openEditor(page);
    const kept = await typeSome(page);
    await profile.kill();
    const again = await profile.start();
    await writing.writer.signIn(again.context());
    await openEditor(again);
    const typed = await typedIn(again);
    assert.ok(typed.startsWith(kept), `${typed} begins with ${kept}`);
    assert.match(
      (await again.locator('#status').textContent()) ?? '',
      /^Restored what you typed on \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d\./,
    );
    await save(again);
    assert.equal((await writing.writer.newest(articleOf(again))).content, typed);
  },
);

test('a tab crashes in an article that has revisions', options, async () => {
  await using person = await writing.visit();
  const { page } = person;
  await openEditor(page);
  await typeAtEnd(page, 'Saved. ');
  await save(page);
  const id = articleOf(page);
  await page.context().route('**/-/v1/**', (route) => route.abort());
  await typeSome(page);
  const all = await keptIn(page);
  const kept = all.find(({ content }) => content.startsWith('Saved. '))?.content ?? assert.fail();
  await page.goto('chrome://crash').catch(() => undefined);
  const context = page.context();
  await page.close();
  await context.unroute('**/-/v1/**');
  const next = await context.newPage();
  await openEditor(next, `/write/${id}`);
  assert.ok((await typedIn(next)).startsWith(kept));
  await save(next);
  assert.ok((await writing.writer.newest(id)).content.startsWith(kept));
});

test('a proxy answers with a page of its own: the text is saved later', options, async () => {
  await using person = await writing.visit();
  const { page } = person;
  await openEditor(page);
  await page.route('**/-/v1/articles', (route) => route.fulfill(ofProxy), { times: 1 });
  await typeAtEnd(page, 'behind a proxy');
  await waitForStatus(page, 'saved');
  assert.equal((await writing.writer.newest(articleOf(page))).content, 'behind a proxy');
});

/** Lets a request through, and loses the answer. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort('connectionreset');
}

test(
  'an answer is lost: the retry makes no second article and no second revision',
  options,
  async () => {
    await using person = await writing.visit();
    const { page } = person;
    const before = (await writing.writer.drafts()).length;
    await openEditor(page);
    await page.route('**/-/v1/articles', loseAnswer, { times: 1 });
    await typeAtEnd(page, 'once');
    await save(page);
    const id = articleOf(page);
    assert.equal((await writing.writer.drafts()).length, before + 1);
    await page.route('**/-/v1/articles/*/revisions', loseAnswer, { times: 1 });
    await typeAtEnd(page, ' and once more');
    await save(page);
    const revisions = await writing.writer.revisions(id);
    assert.deepEqual(
      revisions.map(({ content }) => content),
      ['once and once more', 'once'],
    );
  },
);

test(
  'an answer is lost and the tab with it: the next one asks with the same key',
  options,
  async () => {
    await using person = await writing.visit();
    const { page } = person;
    const before = (await writing.writer.drafts()).length;
    await openEditor(page);
    const arrived = Promise.withResolvers<void>();
    await page.route('**/-/v1/articles', async (route) => {
      await route.fetch();
      arrived.resolve();
    });
    await typeAtEnd(page, 'only once');
    await arrived.promise;
    await page.goto('chrome://crash').catch(() => undefined);
    const next = await page.context().newPage();
    await openEditor(next);
    await waitForStatus(next, 'saved');
    assert.equal(await typedIn(next), 'only once');
    assert.equal((await writing.writer.drafts()).length, before + 1);
    assert.equal((await writing.writer.revisions(articleOf(next))).length, 1);
  },
);

test(
  'a tab is closed while another one has the article: its text goes there',
  options,
  async () => {
    await using person = await writing.visit();
    const { page } = person;
    const [id, other] = await twoTabs(page, 'first\n\nlast');
    await page.route('**/-/v1/**', (route) => route.abort());
    await typeAtEnd(page, ' of all');
    while (!(await keptIn(page)).some(({ content }) => content.endsWith('of all')));
    const next = await page.context().newPage();
    await openEditor(next, `/write/${id}`);
    assert.equal(await typedIn(next), 'first\n\nlast');
    await other.close();
    await page.goto('chrome://crash').catch(() => undefined);
    await next.getByText('last of all').first().waitFor();
    await waitForStatus(next, 'saved');
    assert.equal((await writing.writer.newest(id)).content, 'first\n\nlast of all');
  },
);

test('the session ends in between: signed in again, writing goes on', options, async () => {
  await using person = await writing.people.join();
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, 'before');
  await save(page);
  await person.endSession();
  await typeAtEnd(page, ' and after');
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in with a passkey' }).click();
  await waitForStatus(page, 'saved');
  await page.reload();
  await page.locator('.editor[data-ready]').waitFor();
  assert.equal(await typedIn(page), 'before and after');
  assert.deepEqual(complaints, []);
});

test(
  'signed in again, and no answer to who is signed in: the text is saved later',
  options,
  async () => {
    await using person = await writing.people.join();
    const { page } = person;
    await openEditor(page);
    await typeAtEnd(page, 'before');
    await save(page);
    await person.endSession();
    await page.route('**/-/v1/me', (route) => route.fulfill(ofProxy), { times: 1 });
    await typeAtEnd(page, ' and after');
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in with a passkey' }).click();
    await waitForStatus(page, 'saved');
    await page.reload();
    await page.locator('.editor[data-ready]').waitFor();
    assert.equal(await typedIn(page), 'before and after');
  },
);

/** Two tabs with the same article, both opened before anything is changed. */
async function twoTabs(page: Page, text: string): Promise<readonly [string, Page]> {
  await openEditor(page);
  await page.locator('.cm-content').fill(text);
  await save(page);
  const other = await page.context().newPage();
  await openEditor(other, `/write/${articleOf(page)}`);
  return [articleOf(page), other];
}

test('two tabs change different parts: both changes are in the text', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  const [id, other] = await twoTabs(page, 'first line\n\nlast line');
  await other.locator('.cm-content').focus();
  await other.keyboard.press('Control+Home');
  await other.keyboard.type('The ');
  await save(other);
  await typeAtEnd(page, ' of all');
  await save(page);
  const merged = 'The first line\n\nlast line of all';
  assert.equal(await typedIn(page), merged);
  assert.match((await page.locator('#status').textContent()) ?? '', /^Merged /);
  assert.equal((await writing.writer.newest(id)).content, merged);
  await page.keyboard.press('Control+z');
  assert.equal(await typedIn(page), 'first line\n\nlast line of all');
  assert.deepEqual(complaints, []);
});

const choices = [
  ['Keep mine', ['mine', 'theirs', 'base']],
  ['Take the other one', ['theirs', 'mine', 'theirs', 'base']],
  ['Put both in the text', ['theirs\n\nmine', 'theirs', 'base']],
] as const;

for (const [choice, history] of drawSample(choices, 1)) {
  test(`two tabs change the same part: ${choice}`, options, async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    const [id, other] = await twoTabs(page, 'base');
    await other.locator('.cm-content').fill('theirs');
    await save(other);
    await page.locator('.cm-content').fill('mine');
    await page.keyboard.press('Control+s');
    const view = page.getByRole('region', { name: 'This article was changed elsewhere' });
    await view.waitFor();
    assert.equal(await page.locator('.cm-content').isVisible(), false);
    assert.equal(await view.locator('ins').last().textContent(), 'mine');
    assert.equal(await view.locator('del').last().textContent(), 'theirs');
    await view.getByRole('button', { name: choice }).click();
    await save(page);
    const revisions = await writing.writer.revisions(id);
    assert.deepEqual(
      revisions.map(({ content }) => content),
      history,
    );
    assert.equal(await typedIn(page), history[0]);
    assert.deepEqual(complaints, []);
  });
}
