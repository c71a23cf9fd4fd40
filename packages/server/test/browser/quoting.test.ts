// Quoting a selected passage in a real browser: from the article and from a comment, by mouse and by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { comment } from '#test/comments';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };

let people: People;
let path: string;
before(async () => {
  if (noBrowser !== false) return;
  people = await openPeople();
  const author = await people.server.register();
  const content =
    'The *first* part.\n\nThe second part, with <b>words</b>.\n\nThe [third](https://e.example).';
  const made = await people.server.published(author, { content });
  path = new URL(String(made.url)).pathname;
  await comment(people.server, author, made.id, { content: 'What a comment says.' });
});
after(() => people?.[Symbol.asyncDispose]());

/** Selects from the beginning of one element to the end of another. */
function select(page: Page, from: string, to = from): Promise<void> {
  return page.evaluate(
    ([start = '', end = '']) => {
      const [first, last] = [document.querySelector(start), document.querySelector(end)];
      if (first === null || last === null) throw new Error('Nothing to select.');
      document.getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
    },
    [from, to],
  );
}

test('a passage of the article goes into the comment, after what was typed', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  await page.goto(path);
  const field = page.getByLabel('Write a comment');
  await field.fill('Before.');
  await select(page, '.whole .prose p:nth-child(1)', '.whole .prose p:nth-child(2)');
  await page.getByRole('button', { name: 'Quote' }).click();
  const quoted = '> The first part.\n>\n> The second part, with <b>words</b>.';
  assert.equal(await field.inputValue(), `Before.\n\n${quoted}\n\n`);
  assert.equal(await page.evaluate('document.activeElement.id'), 'comment');
  assert.equal(await page.getByRole('button', { name: 'Quote' }).count(), 0);
  await page.keyboard.type('I agree.');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.locator('.comment blockquote').waitFor();
  assert.deepEqual(complaints, []);
});

test(
  'the button stands at the end of what is selected, and is never squeezed',
  options,
  async () => {
    await using person = await people.join();
    const { page } = person;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    for (const selector of [
      '.whole .prose p:nth-of-type(1)',
      '.whole .prose p:nth-of-type(2)',
      '.comment .prose p',
    ]) {
      await select(page, selector);
      const quote = page.getByRole('button', { name: 'Quote' });
      await quote.waitFor();
      await page.locator(`${selector} + .quote`).waitFor();
      const [below, right, height] = await quote.evaluate((button) => {
        const { top, right, height } = button.getBoundingClientRect();
        const range = document.getSelection()?.getRangeAt(0);
        return [
          top - (range?.getBoundingClientRect().bottom ?? 0),
          window.innerWidth - right,
          height,
        ];
      });
      assert.ok(below >= 0 && below < 12, `${below} px below ${selector}`);
      assert.ok(right >= 0 && height < 48, `${right} px from the edge, ${height} px high`);
    }
  },
);

test('a passage of a comment goes into a reply to it, by keyboard', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  await page.goto(path);
  await select(page, '.comment .prose p');
  await page.getByRole('button', { name: 'Quote' }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Quote');
  await page.keyboard.press('Tab');
  assert.equal(
    await page.evaluate('document.activeElement.textContent'),
    'Reply',
    'and on from it',
  );
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.locator('#reply:focus').waitFor();
  assert.equal(await page.locator('#reply').inputValue(), '> What a comment says.\n\n');
  await select(page, '.comment .prose p');
  await page.getByRole('button', { name: 'Quote' }).click();
  assert.equal((await page.locator('#reply').inputValue()).match(/^> /gm)?.length, 2);
  assert.deepEqual(complaints, []);
});

test(
  'no button for a selection outside of the texts, across them, or after Escape',
  options,
  async () => {
    await using person = await people.join();
    const { page } = person;
    await page.goto(path);
    const button = page.getByRole('button', { name: 'Quote' });
    await select(page, '.whole .prose p');
    await button.waitFor();
    await page.keyboard.press('Escape');
    await button.waitFor({ state: 'detached' });
    await select(page, '.whole .prose p', '.comment .prose p');
    await page.waitForTimeout(400);
    assert.equal(await button.count(), 0);
    await select(page, 'h1');
    await page.waitForTimeout(400);
    assert.equal(await button.count(), 0);
  },
);

test(
  'the scripts of an article are small, and the signed-out load only that of the text',
  options,
  async () => {
    await using person = await people.join();
    const { page } = person;
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return;
      bodies.push(response.body());
    });
    await page.goto(path);
    const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
    assert.equal(sizes.length, 3);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= 15 * 1024, `${total} bytes compressed`);
    await using visitor = await people.visit();
    await visitor.page.goto(path);
    const sources = await visitor.page
      .locator('script[src]')
      .evaluateAll((scripts) => scripts.map((script) => script.getAttribute('src') ?? ''));
    assert.equal(sources.length, 1);
    assert.match(sources[0] ?? '', /^\/assets\/reading-/);
  },
);
