// The editor in a real browser, for tests: a person signed in, their texts here and at the service.
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser as openSession } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';
import type { TestServer } from '#test/harness';

/** Somebody with a session, whose cookie any browser can have. */
export interface Writer {
  readonly session: TestBrowser;
  /** Signs a browser in. */
  signIn(context: BrowserContext): Promise<void>;
  /** The texts of an article as they are stored, the newest first. */
  revisions(id: string): Promise<readonly { readonly content: string }[]>;
  newest(id: string): Promise<{
    readonly title: string;
    readonly content: string;
    readonly revision_id: string;
  }>;
  drafts(): Promise<readonly { readonly id: string }[]>;
}

export async function openWriter(server: TestServer): Promise<Writer> {
  const session = openSession(server);
  const { username } = await session.join();
  return {
    session,
    signIn: async (context) => {
      const [name = '', value = ''] = (session.cookie() ?? '').split('=');
      await context.addCookies([{ name, value, url: server.baseUrl }]);
    },
    revisions: async (id) => {
      const all: { readonly content: string }[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '?limit=100' : `?limit=100&cursor=${cursor}`;
        const { body } = await session.ask('GET', `/-/v1/articles/${id}/revisions${query}`);
        for (const { revision_id: revision } of body.items) {
          const read = await session.ask('GET', `/-/v1/articles/${id}/revisions/${revision}`);
          all.push(read.body);
        }
        cursor = body.next_cursor;
      }
      return all;
    },
    newest: async (id) => {
      const { status, body } = await session.ask('GET', `/-/v1/articles/${id}?view=latest`);
      assert.equal(status, 200);
      return body;
    },
    drafts: async () => {
      const path = `/-/v1/articles?author=${username}&status=draft&limit=100`;
      return (await session.ask('GET', path)).body.items;
    },
  };
}

/** Opens the editor and waits until it has brought back what was left. */
export async function openEditor(page: Page, path = '/write'): Promise<void> {
  await page.goto(path);
  await page.locator('.editor[data-ready]').waitFor();
}

export function articleOf(page: Page): string {
  return new URL(page.url()).pathname.slice('/write/'.length);
}

/** Types at the end of the text. */
export async function typeAtEnd(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

/** Returns the whole text in the editor. Only short ones: of a long one, the page has a part. */
export async function typedIn(page: Page): Promise<string> {
  const lines = page.locator('.cm-content > .cm-line');
  return (await lines.evaluateAll((all) => all.map((line) => line.textContent ?? ''))).join('\n');
}

export async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await waitForStatus(page, 'saved');
}

/** Waits until the status line says so. */
export async function waitForStatus(page: Page, state: string): Promise<void> {
  await page.locator(`#status[data-state="${state}"]`).waitFor();
}

export interface Kept {
  readonly title: string;
  readonly content: string;
}

/** Returns what IndexedDB has of the texts that were typed in this browser. */
export function keptIn(page: Page): Promise<readonly Kept[]> {
  return page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('IndexedDB refused.')));
      });
    const db = await asked(indexedDB.open('colophon-editor'));
    const kept = await asked<Kept[]>(db.transaction('typed').objectStore('typed').getAll());
    db.close();
    return kept;
  });
}
