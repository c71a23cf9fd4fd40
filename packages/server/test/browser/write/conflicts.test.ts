// An article is changed elsewhere while it is typed: no keystroke and no text that was not chosen is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from '../browser.ts';
import { articleOf, openEditor, save, typeAtEnd, typedIn, waitForStatus } from './editor.ts';
import { writingIn } from './writing.ts';

const options = { skip: noBrowser };

const writing = writingIn();

/** Adds a revision from another device. */
async function revise(id: string, content: string): Promise<void> {
  const { revision_id } = await writing.writer.newest(id);
  const made = await writing.writer.session.ask('POST', `/-/v1/articles/${id}/revisions`, {
    key: true,
    headers: { 'if-match': `"${revision_id}"` },
    body: { content },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
}

async function openSaved(page: Page, text: string): Promise<string> {
  await writing.writer.signIn(page.context());
  await openEditor(page);
  await typeAtEnd(page, text);
  await save(page);
  return articleOf(page);
}

test('what is typed while two texts are merged is in the merged one', options, async () => {
  await using person = await writing.people.visit();
  const { page, complaints } = person;
  const id = await openSaved(page, 'first line\n\nlast line');
  await revise(id, 'The first line\n\nlast line');
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/assets/write-compare-*', async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  await typeAtEnd(page, ' of');
  await page.keyboard.press('Control+s');
  await asked.promise;
  await page.keyboard.type(' all');
  held.resolve();
  await waitForStatus(page, 'saved');
  assert.equal(await typedIn(page), 'The first line\n\nlast line of all');
  assert.equal((await writing.writer.newest(id)).content, 'The first line\n\nlast line of all');
  assert.deepEqual(complaints, []);
});

test(
  'a text that was not chosen is saved, although a third one comes before it',
  options,
  async () => {
    await using person = await writing.people.visit();
    const { page, complaints } = person;
    const id = await openSaved(page, 'base');
    await revise(id, 'theirs');
    await page.locator('.cm-content').fill('mine');
    await page.keyboard.press('Control+s');
    const view = page.getByRole('region', { name: 'This article was changed elsewhere' });
    await view.waitFor();
    let isThird = false;
    await page.route('**/revisions', async (route) => {
      if (!isThird && route.request().method() === 'POST') {
        isThird = true;
        await revise(id, 'theirs, again');
      }
      await route.continue();
    });
    await view.getByRole('button', { name: 'Take the other one' }).click();
    await waitForStatus(page, 'saved');
    const texts = (await writing.writer.revisions(id)).map(({ content }) => content);
    assert.deepEqual(texts, ['theirs, again', 'mine', 'theirs, again', 'theirs', 'base']);
    assert.equal(await typedIn(page), 'theirs, again');
    assert.deepEqual(complaints, []);
  },
);

test(
  'both texts are compared by words and dates, in the direction of each line',
  options,
  async () => {
    await using person = await writing.people.visit();
    const { page, complaints } = person;
    const text = (day: string, word: string) =>
      `Google הודיעה ב-${day}, בערב.\n\nОни приехали ${word}, in English.`;
    const id = await openSaved(page, text('12.05.2024', 'поездом'));
    await revise(id, text('13.06.2024', 'самолётом'));
    await page.locator('.cm-content').fill(text('14.07.2025', 'самокатом'));
    await page.keyboard.press('Control+s');
    const shown = page.getByRole('region', { name: 'Both texts compared' });
    await shown.waitFor();
    assert.deepEqual(await shown.locator('del').allTextContents(), ['13.06.2024', 'самолётом']);
    assert.deepEqual(await shown.locator('ins').allTextContents(), ['14.07.2025', 'самокатом']);
    const lines = shown.locator('div', { has: page.locator('ins') });
    const directions = await lines.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).direction),
    );
    assert.deepEqual(directions, ['rtl', 'ltr']);
    // From right to left, what was is read before what is.
    const [was, is] = [
      await shown.locator('del').first().boundingBox(),
      await shown.locator('ins').first().boundingBox(),
    ];
    assert.ok(was && is && is.x + is.width <= was.x, JSON.stringify([was, is]));
    assert.deepEqual(complaints, []);
  },
);

test(
  'two titles that run from right to left stand beside each other, each in one piece',
  options,
  async () => {
    await using person = await writing.people.visit();
    const { page, complaints } = person;
    const id = await openSaved(page, 'base');
    await revise(id, 'theirs');
    await page.locator('#title').fill('14.07.2025: אירוע (3)');
    await page.locator('.cm-content').fill('mine');
    await page.keyboard.press('Control+s');
    const title = page.locator('.editor-other p', { hasText: 'Title:' });
    await title.waitFor();
    assert.equal(await title.locator('ins').getAttribute('dir'), 'rtl');
    assert.equal(await title.locator('del').getAttribute('dir'), 'ltr');
    assert.deepEqual(complaints, []);
  },
);
