// Articles on a phone in a real browser: nothing is wider than the page, and texts from right to left stand as they are read.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { comment } from '#test/comments';
import { startServer } from '#test/harness';
import { noBrowser, openBrowser } from './browser.ts';
import type { Browser } from './browser.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let browser: Browser | undefined;
let page: Page;
before(async () => {
  if (noBrowser !== false) return;
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 360, height: 800 } });
});
after(() => browser?.close());

const wide = 'x'.repeat(120);
const content = `- واحد\n- اثنان\n\n> اقتباس\n\n| أول | ثان | ثالث |\n|---|---|---|\n| أ | ${'كلمة '.repeat(3)}\`${wide}\` | ج |\n\n\`\`\`\n${wide}\n\`\`\`\n`;

test(
  'at 360 pixels the page does not scroll sideways, code and tables do; lists, quotes and tables begin at the right',
  { skip: noBrowser },
  async () => {
    const author = await server.register();
    const { url } = await server.published(author, { title: 'نص', language: 'ar', content });
    await page.goto(url);
    const shown = await page.evaluate(() => {
      const at = (selector: string) => document.querySelector(`.prose ${selector}`) as HTMLElement;
      const [first, second] = Array.from(document.querySelectorAll('.prose th'));
      return {
        width: document.documentElement.scrollWidth,
        codeScrolls: at('pre').scrollWidth > at('pre').clientWidth,
        shadows: getComputedStyle(at('pre')).backgroundAttachment,
        tableFits: at('table').getBoundingClientRect().width <= innerWidth,
        listPadding: getComputedStyle(at('ul')).paddingRight,
        quoteBorder: getComputedStyle(at('blockquote')).borderRightWidth,
        firstIsRight:
          (first?.getBoundingClientRect().x ?? 0) > (second?.getBoundingClientRect().x ?? 0),
      };
    });
    assert.equal(shown.width, 360);
    assert.ok(shown.codeScrolls && shown.tableFits && shown.firstIsRight, JSON.stringify(shown));
    assert.match(shown.shadows, /^local, local, scroll, scroll/);
    assert.notEqual(shown.listPadding, '0px');
    assert.equal(shown.quoteBorder, '3px');
  },
);

test(
  'code in a sentence from right to left reads from left to right, in a text and in a comment',
  { skip: noBrowser },
  async () => {
    const author = await server.register();
    const command = 'a $HOME | b -';
    const content = `הריצו \`${command}\`.`;
    const { id, url } = await server.published(author, { title: 'פקודה', language: 'he', content });
    await comment(server, author, id, { content });
    await page.goto(url);
    const places = await page.evaluate(() =>
      Array.from(document.querySelectorAll('.prose code'), (code) => {
        const text = code.firstChild as Text;
        return Array.from(text.data, (_, at) => {
          const range = document.createRange();
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          return range.getBoundingClientRect().x;
        });
      }),
    );
    assert.equal(places.length, 2);
    for (const xs of places)
      assert.deepEqual(
        xs,
        xs.toSorted((one, other) => one - other),
      );
  },
);

test(
  'a Hebrew text that begins with a Latin name is read from the right: on its page, in an item, in a comment and in lists',
  { skip: noBrowser },
  async () => {
    const author = await server.register();
    const title = 'GPT-5 שינה את הכל';
    const text = 'iPhone 17 יצא השבוע, וזה מה שחשבתי.';
    const content = `${text}\n\n- ${text}\n\nEnglish only.`;
    const { id, url } = await server.published(author, { title, language: 'he', content });
    await comment(server, author, id, { content: text });
    /** Where the first letter of each element is. */
    const placesOf = (selector: string) =>
      page.evaluate(
        (selected) =>
          Array.from(document.querySelectorAll(selected), (element) => {
            const range = document.createRange();
            const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            const node = texts.nextNode() as Text;
            range.setStart(node, 0);
            range.setEnd(node, 1);
            return range.getBoundingClientRect().x > innerWidth / 2 ? 'right' : 'left';
          }),
        selector,
      );
    await page.goto(url);
    assert.deepEqual(await placesOf('h1'), ['right']);
    assert.deepEqual(await placesOf('[lang="he"].prose > p'), ['right', 'left']);
    assert.deepEqual(await placesOf('.prose li > div, .comment .prose p'), ['right', 'right']);
    await page.goto(`${server.baseUrl}/@${author.username}`);
    assert.deepEqual(await placesOf('.card .title a, .card .excerpt'), ['right', 'right']);
  },
);
