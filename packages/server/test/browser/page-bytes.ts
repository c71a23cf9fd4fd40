// What a page transfers: its HTML, style sheets and scripts, compressed as the service compresses them.
import assert from 'node:assert/strict';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Page } from 'playwright-core';
import type { TestServer } from '#test/harness';
import { getRaw } from '#test/raw-request';

/** Returns the size of an asset as it is served, in bytes of the body. */
export async function servedBytes(
  { baseUrl, ...server }: TestServer,
  url: string,
): Promise<number> {
  const { pathname } = new URL(url, baseUrl);
  const { body } = await getRaw({ baseUrl, ...server }, pathname, ['Accept-Encoding: br']);
  return body.length;
}

/** As `http/server.ts` compresses pages. */
function compressedBytes(text: string): number {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;
}

export interface PageBytes {
  readonly bytes: number;
  /** By path; the HTML of the page is `html`. */
  readonly parts: Readonly<Record<string, number>>;
  /** Characters of the HTML before compression. */
  readonly characters: number;
}

/**
 * Requests a page as the visitor and adds up what it loads at once. What a script loads when a button is pressed does
 * not count. `without` takes the texts of participants out of the HTML.
 */
export async function weigh(
  server: TestServer,
  page: Page,
  path: string,
  without: (html: string) => string = (html) => html,
): Promise<PageBytes> {
  const response = await page.request.get(`${server.baseUrl}${path}`);
  assert.equal(response.status(), 200, path);
  const text = await response.text();
  const loaded = new Set(
    [...text.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]+\.(?:css|js))"/g)].flatMap(([, url]) =>
      url === undefined ? [] : [url],
    ),
  );
  const parts: Record<string, number> = { html: compressedBytes(without(text)) };
  for (const url of loaded) parts[url] = await servedBytes(server, url);
  const bytes = Object.values(parts).reduce((sum, one) => sum + one, 0);
  return { bytes, parts, characters: text.length };
}
