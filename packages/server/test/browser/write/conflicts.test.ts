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
