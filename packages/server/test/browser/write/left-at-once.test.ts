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
  const aside = () =>
    Object.keys(localStorage).filter((name) => name.startsWith('colophon-editor'));
  assert.deepEqual(await page.evaluate(aside), [], 'what was brought back is in one place');
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
