// The editor where the service refuses: an allowance that is used up, a removed article, no IndexedDB.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLimitedServer } from '#test/limits-file';
import { noBrowser } from '../browser.ts';
import { peopleOf } from '../people.ts';
import type { Person } from '../people.ts';
import { articleOf, openEditor, save, typeAtEnd, typedIn, waitForStatus } from './editor.ts';
import { writingIn } from './writing.ts';

const options = { skip: noBrowser };

const writing = writingIn(async () => {
  const quotas = { 'revisions.create': [2, 2, 2, 2] };
  const named = { BASE_URL: 'http://localhost:{port}' };
  return peopleOf(await startLimitedServer({ quotas }, named));
});

const statusOf = async ({ page }: Person) => (await page.locator('#status').textContent()) ?? '';

test('an allowance is used up: the text stays on the device until its time', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  for (const text of ['one ', 'two ', 'three ']) {
    await typeAtEnd(page, text);
    await save(page);
  }
  const id = articleOf(page);
  await typeAtEnd(page, 'four');
  await page.keyboard.press('Control+s');
  await waitForStatus(page, 'used-up');
  assert.match(await statusOf(person), /allowance is used up, so it will be sent at \d\d:\d\d/);
  await page.reload();
  await page.locator('.editor[data-ready]').waitFor();
  assert.equal(await typedIn(page), 'one two three four');
  assert.equal((await writing.writer.newest(id)).content, 'one two three ');
  assert.deepEqual(complaints, []);
});

test('a title of 400 characters: nothing is cut, and its length is said', options, async () => {
  await using person = await writing.people.join();
  const { page } = person;
  await openEditor(page);
  const title = 'x'.repeat(400);
  await page.locator('#title').focus();
  await page.keyboard.insertText(title);
  await typeAtEnd(page, 'text');
  await page.keyboard.press('Control+s');
  await waitForStatus(page, 'refused');
  assert.match(
    await statusOf(person),
    /^Not saved: The title must have at most 300 characters; it has 400\./,
  );
  assert.equal(await page.locator('#title').inputValue(), title);
  await page.reload();
  await page.locator('.editor[data-ready]').waitFor();
  assert.equal(await page.locator('#title').inputValue(), title, 'it stays on the device');
});

test('the article was removed elsewhere: said, and the text stays', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, 'text');
  await save(page);
  await writing.writer.session.ask('DELETE', `/-/v1/articles/${articleOf(page)}`);
  await typeAtEnd(page, ' more');
  await page.keyboard.press('Control+s');
  await waitForStatus(page, 'refused');
  assert.equal(
    await statusOf(person),
    'Not saved: this article was removed. Copy your text into a new article to keep it.',
  );
  // Its editor cannot be opened again: a person who leaves now loses the text.
  const asked = page.waitForEvent('dialog');
  const left = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  assert.equal(dialog.type(), 'beforeunload');
  await Promise.all([dialog.dismiss(), left]);
  assert.equal(await typedIn(page), 'text more');
  assert.deepEqual(complaints, []);
});

test(
  'another account signs in meanwhile: the text does not become its article',
  options,
  async () => {
    await using person = await writing.people.join();
    const { page, complaints } = person;
    const own = await page.context().cookies();
    await openEditor(page);
    await typeAtEnd(page, 'a text of mine');
    await writing.writer.signIn(page.context());
    const before = (await writing.writer.drafts()).length;
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await waitForStatus(page, 'ended');
    assert.equal((await writing.writer.drafts()).length, before);
    await page.reload();
    await page.locator('.editor[data-ready]').waitFor();
    assert.equal(
      await typedIn(page),
      'Write here. Markdown works.',
      'it is not shown to the other one',
    );
    await page.context().addCookies(own);
    await openEditor(page);
    assert.equal(await typedIn(page), 'a text of mine');
    await waitForStatus(page, 'saved');
    assert.deepEqual(complaints, []);
  },
);
