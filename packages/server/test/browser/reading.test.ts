// What the script of a text adds: copied code, notes beside the text, the place where reading stopped, sharing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };

let people: People;
let path: string;
before(async () => {
  if (noBrowser !== false) return;
  people = await openPeople();
  const { server } = people;
  const author = await server.register();
  const part = (n: number) =>
    `## Part ${n}\n\n${'A sentence that is read slowly, word by word. '.repeat(20)}[^${n}]\n`;
  const parts = Array.from({ length: 12 }, (_, n) => part(n + 1)).join('\n');
  const notes = Array.from(
    { length: 12 },
    (_, n) => `[^${n + 1}]: Note ${n + 1}. [A link](https://a.example/)`,
  );
  const code = '```js\nconst moss = 1;\n```\n';
  const made = await server.published(author, {
    title: 'Long',
    content: `${code}\n${parts}\n${notes.join('\n')}\n`,
    language: 'en',
  });
  path = new URL(made.url).pathname;
});
after(() => people?.[Symbol.asyncDispose]());

const positions = (page: Page) =>
  page.locator('.beside').evaluateAll((notes) =>
    notes.map((note) => {
      const { top, bottom, left, right } = note.getBoundingClientRect();
      return { top, bottom, left, right };
    }),
  );

test('code and addresses are copied', options, async () => {
  await using visitor = await people.visit();
  const { page } = visitor;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(path);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const button = page.locator('.copied > .copy').first();
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await copied(), 'const moss = 1;\n');
  await page.getByRole('button', { name: 'Copy the address' }).click();
  await page.locator('.more').getByText('Copied').waitFor();
  assert.equal(await copied(), people.server.baseUrl + path);
  assert.deepEqual(visitor.complaints, []);
});

test(
  'notes stand beside the text where there is room, and never over each other',
  options,
  async () => {
    await using visitor = await people.visit({ viewport: { width: 1440, height: 900 } });
    const { page } = visitor;
    await page.goto(path);
    await page.locator('.beside').nth(11).waitFor();
    const notes = await positions(page);
    const text = await page.locator('.whole > .prose').boundingBox();
    assert.ok(text);
    for (const [at, { top, left, right }] of notes.entries()) {
      assert.ok(left >= text.x + text.width && right <= 1440, `note ${at + 1} is in the margin`);
      assert.ok(top >= (notes[at - 1]?.bottom ?? 0), `note ${at + 1} is below the one before`);
    }
    // Those below the text are what the keyboard and screen readers meet.
    const focusable = await page.locator('.beside a:not([tabindex="-1"])').count();
    assert.equal(focusable, 0);
    await page.setViewportSize({ width: 800, height: 900 });
    await page.locator('.beside').first().waitFor({ state: 'detached' });
    assert.equal(await page.locator('.footnotes li').count(), 12);
  },
);

test('the contents lead to each part, by keyboard', options, async () => {
  await using visitor = await people.visit({ viewport: { width: 390, height: 844 } });
  const { page } = visitor;
  await page.goto(path);
  await page.locator('.contents > summary').focus();
  await page.keyboard.press('Enter');
  const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
  assert.equal(await links.count(), 12);
  await links.nth(6).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#md-part-7$/);
  const top = (await page.locator('#md-part-7').boundingBox())?.y ?? -1;
  assert.ok(top >= 0 && top < 100, `${top}`);
});

test('a text is gone on with where its reading stopped', options, async () => {
  await using visitor = await people.visit({ viewport: { width: 390, height: 844 } });
  const { page } = visitor;
  await page.goto(path);
  const goOn = page.getByRole('button', { name: /Go on where you stopped/ });
  assert.equal(await goOn.count(), 0);
  const at = () => page.evaluate(() => window.scrollY);
  await page.locator('#md-part-5').evaluate((part) => part.scrollIntoView());
  await page.waitForFunction(() => localStorage.length > 0);
  const left = await at();
  await page.goto('/');
  await page.goto(path);
  assert.equal(await at(), 0, 'nothing moves by itself');
  await goOn.click();
  assert.ok(Math.abs((await at()) - left) < 20, `${await at()} is about ${left}`);
  assert.equal(await goOn.count(), 0);
});
