// The server is killed at each save: what was typed arrives, in order, and no revision twice. A long run kills it 200 times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { effort } from '#test/effort';
import { makePlace } from '../../faults/server-process.ts';
import { noBrowser, openBrowser } from '../browser.ts';
import { addAuthenticator, joinAt } from '../people.ts';
import { openEditor, typeAtEnd, waitForStatus } from './editor.ts';

const rounds = effort(2, 200);

interface Revision {
  readonly revision_id: string;
  readonly content: string;
}

/** Reads with the session of the page. */
function read<T>(page: Page, path: string): Promise<T> {
  return page.evaluate(async (at) => (await fetch(at)).json() as Promise<T>, path);
}

/** Returns the texts of all revisions, the newest first. */
async function history(page: Page): Promise<readonly string[]> {
  const path = `/-/v1/articles/${new URL(page.url()).pathname.slice('/write/'.length)}/revisions`;
  const texts: string[] = [];
  let query = '?limit=100';
  while (query !== '') {
    const list = await read<{ items: Revision[]; next_cursor: string | null }>(page, path + query);
    for (const { revision_id: id } of list.items) {
      texts.push((await read<Revision>(page, `${path}/${id}`)).content);
    }
    query = list.next_cursor === null ? '' : `?limit=100&cursor=${list.next_cursor}`;
  }
  return texts;
}

test(`the server is killed at each of ${rounds} saves`, { skip: noBrowser }, async () => {
  await using place = await makePlace();
  let server = place.start();
  await server.ready(place.baseUrl);
  await using browser = await openBrowser();
  const page = await browser.newPage({ baseURL: place.baseUrl });
  page.setDefaultTimeout(60_000);
  await addAuthenticator(page);
  await joinAt(page, 'writer');
  await openEditor(page);
  let typed = '';
  for (let round = 1; round <= rounds; round += 1) {
    const words = `${round} words. `;
    await typeAtEnd(page, words);
    typed += words;
    await page.keyboard.press('Control+s');
    await wait(Math.random() * 40);
    server.kill('SIGKILL');
    await server.ended;
    server = place.start();
    await server.ready(place.baseUrl);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await waitForStatus(page, 'saved');
  }
  const texts = await history(page);
  assert.equal(texts[0], typed);
  assert.equal(new Set(texts).size, texts.length, 'no revision twice');
  assert.equal(texts.length, rounds);
  const drafts = await read<{ items: unknown[] }>(
    page,
    '/-/v1/articles?author=writer&status=draft',
  );
  assert.equal(drafts.items.length, 1);
});
