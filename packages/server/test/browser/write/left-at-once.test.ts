// A page that is left right after the last letter: what was typed is there when the article is opened again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../throw-away-database.ts';
import { noBrowser } from '../browser.ts';
import { articleOf, openEditor, save, typeAtEnd, typedIn } from './editor.ts';
import { writingIn } from './writing.ts';

const options = { skip: noBrowser };
const writing = writingIn();

/** Makes an article that is open in an editor whose service takes nothing from now on. */
async function openCutOff(page: Page): Promise<string> {
  await openEditor(page);
  await typeAtEnd(page, 'Moss');
  await save(page);
  await page.context().route('**/-/v1/**', (route) => route.abort());
  return articleOf(page);
}

async function untilTyped(page: Page, expected: string): Promise<void> {
  await until(`the editor has “${expected}”`, async () => (await typedIn(page)) === expected);
}

/** Holds the editor's storage of this browser, as a slow disk does. Returns what ends it. */
async function holdStorage(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(async () => {
    const held = Promise.withResolvers<void>();
    const opening = indexedDB.open('colophon-editor');
    opening.addEventListener('success', () => {
      const transaction = opening.result.transaction(['sent', 'typed'], 'readwrite');
      transaction.addEventListener('complete', () => opening.result.close());
      const ask = () => {
        if (Reflect.has(globalThis, 'released')) return;
        const asked = transaction.objectStore('typed').count();
        asked.addEventListener('success', ask);
        asked.addEventListener('success', () => held.resolve(), { once: true });
      };
      ask();
    });
    await held.promise;
  });
  return () => page.evaluate(() => void Reflect.set(globalThis, 'released', true));
}

/** The names under which texts of pages that were left are kept in Web storage. */
function leavingIn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    Object.keys(localStorage).filter((name) => name.startsWith('colophon-editor')),
  );
}

/** Sends the page what it gets when it goes to the browser's cache of pages, or comes from there. */
function turnTo(page: Page, name: 'pagehide' | 'pageshow'): Promise<void> {
  return page.evaluate((type) => {
    dispatchEvent(new PageTransitionEvent(type, { persisted: true }));
  }, name);
}

test('a page is left right after the last letter, again and again', options, async () => {
  await using person = await writing.visit();
  const { page } = person;
  const id = await openCutOff(page);
  let expected = 'Moss';
  for (const word of ['has', 'no', 'roots']) {
    await typeAtEnd(page, ` ${word}`);
    expected += ` ${word}`;
    await openEditor(page, `/write/${id}`);
    await untilTyped(page, expected);
  }
  assert.deepEqual(await leavingIn(page), [], 'what was brought back is in one place');
  await page.context().unroute('**/-/v1/**');
  await save(page);
  assert.equal((await writing.writer.newest(id)).content, expected);
});

test('a page is left while its device is slow to write', options, async () => {
  await using person = await writing.visit();
  const { page } = person;
  const id = await openCutOff(page);
  const other = await page.context().newPage();
  await other.goto('/docs');
  const release = await holdStorage(other);
  await typeAtEnd(page, ' has no roots');
  await page.goto(`/write/${id}`);
  await release();
  await untilTyped(page, 'Moss has no roots');
});

test('a page that comes back as it was has only its newest text', options, async () => {
  await using person = await writing.visit();
  const { page } = person;
  const id = await openCutOff(page);
  await typeAtEnd(page, ' has no');
  await turnTo(page, 'pagehide');
  assert.equal((await leavingIn(page)).length, 1, 'the page was left');
  await turnTo(page, 'pageshow');
  await until('what it kept is dropped', async () => (await leavingIn(page)).length === 0);
  await typeAtEnd(page, ' roots');
  await openEditor(page, `/write/${id}`);
  await untilTyped(page, 'Moss has no roots');
});

test('where nothing can be stored, a page that is left keeps nothing', options, async () => {
  await using person = await writing.visit();
  const { page } = person;
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
  });
  await openCutOff(page);
  await typeAtEnd(page, ' has no roots');
  await page.locator('#status', { hasText: /^Not saved yet/ }).waitFor();
  await turnTo(page, 'pagehide');
  assert.deepEqual(await leavingIn(page), []);
});

test('two editors that are opened at once bring a text back once', options, async () => {
  await using person = await writing.visit();
  const { page } = person;
  const id = await openCutOff(page);
  const other = await page.context().newPage();
  await other.goto('/docs');
  // What no editor can read hinders nothing.
  await other.evaluate(() => localStorage.setItem('colophon-editor odd', '{"typed":'));
  await typeAtEnd(page, ' has no roots');
  await Promise.all([openEditor(page, `/write/${id}`), openEditor(other, `/write/${id}`)]);
  assert.deepEqual(await leavingIn(page), ['colophon-editor odd']);
  await page.context().unroute('**/-/v1/**');
  await until(
    'the text is at the service',
    async () => (await writing.writer.newest(id)).content === 'Moss has no roots',
  );
  const contents = (await writing.writer.revisions(id)).map(({ content }) => content);
  assert.deepEqual(contents, ['Moss has no roots', 'Moss']);
});
