// What only a browser shows: forced colours, paper, and the widths of texts in columns and pictures.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createAgent } from '#test/agents';
import { comment, reply } from '#test/comments';
import { link, untilSettled } from '#test/edges';
import type { Human } from '#test/harness';
import { revisedArticle, show } from '#test/revised-articles';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };

let people: People;
let author: Human;
before(async () => {
  if (noBrowser !== false) return;
  people = await openPeople();
  author = await people.server.register();
});
after(() => people?.[Symbol.asyncDispose]());

test('forced colours keep what is current and what is unread', options, async () => {
  await using visitor = await people.visit();
  const { page } = visitor;
  await page.goto('/-/pieces');
  await page.emulateMedia({ forcedColors: 'active' });
  const styleOf = (selector: string, name: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
  const canvas = await styleOf('body', 'background-color');
  assert.notEqual(await styleOf('.dot', 'background-color'), canvas, 'a dot is seen');
  assert.equal(await styleOf('.tabs a[aria-current]', 'border-bottom-style'), 'solid');
  await page.goto('/');
  assert.equal(await styleOf('.top a[aria-current]', 'border-bottom-style'), 'solid');
  assert.equal(await styleOf('.top a:not([aria-current])', 'border-bottom-style'), 'none');
  await page.locator('main').evaluate((main) => {
    main.setAttribute('aria-pressed', 'true');
  });
  assert.equal(await styleOf('[aria-pressed]', 'outline-style'), 'solid');
});

test('paper holds a wide table, and has each address once', options, async () => {
  const cells = (text: string) => `| ${`${text} | `.repeat(12)}\n`;
  const made = await people.server.published(author, {
    content: `${cells('heading')}| ${'--- | '.repeat(12)}\n${cells('Donaudampfschifffahrt')}\n\n<https://a.example/b> [named](https://a.example/c)\n`,
  });
  await using visitor = await people.visit({ viewport: { width: 700, height: 900 } });
  const { page } = visitor;
  await page.goto(made.url);
  await page.emulateMedia({ media: 'print' });
  const { scroll, client } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
  }));
  assert.ok(scroll <= client, `${scroll} of ${client}`);
  const printed = await page
    .locator('.prose a')
    .evaluateAll((links) => links.map((one) => getComputedStyle(one, '::after').content));
  assert.equal(printed[0], 'none');
  assert.match(printed[1] ?? '', /a\.example\/c/);
  const invitation = page.getByText('Sign in to comment');
  assert.deepEqual([await invitation.count(), await invitation.isVisible()], [1, false]);
});

test('paper has the replies to a comment, and nothing to press', options, async () => {
  const { server } = people;
  const made = await server.published(author, { content: 'A text.' });
  const { id } = await comment(server, author, made.id, {
    content: 'It is wrong.',
    stance: 'asks',
  });
  await reply(server, author, id, { content: 'It is mended.' });
  await using visitor = await people.visit();
  const { page } = visitor;
  await page.goto(made.url);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByText('It is mended.').isVisible(), true);
  for (const pressed of ['1 reply', 'By stance', 'Report this article', 'Verify in this browser']) {
    const found = page.getByText(pressed, { exact: true });
    assert.deepEqual([await found.count(), await found.isVisible()], [1, false], pressed);
  }
  const revised = await revisedArticle(server);
  await show(server, revised, revised.second);
  await page.emulateMedia({ media: 'screen' });
  await page.goto(`${revised.url}/revisions`);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByText('Published revisions').isVisible(), true);
  assert.equal(await page.locator('input:visible, button:visible').count(), 0);
});

test(
  'what is done with an article or a comment looks like a link, and can have the focus',
  options,
  async () => {
    const made = await people.server.published(author);
    await using person = await people.join();
    await using visitor = await people.visit();
    const { page } = person;
    await page.goto(made.url);
    await page.getByLabel('Write a comment').fill('Seen.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.comment').waitFor();
    const look = (one: Page, words: string) =>
      one
        .locator('.acts > a, .acts summary')
        .filter({ hasText: words })
        .first()
        .evaluate((control: HTMLElement) => {
          control.focus();
          const { textDecorationLine } = getComputedStyle(control);
          return [textDecorationLine, document.activeElement === control];
        });
    for (const words of ['Report this article', 'Reply', 'Delete'])
      assert.deepEqual(await look(page, words), ['underline', true], words);
    await visitor.page.goto(made.url);
    assert.deepEqual(await look(visitor.page, 'Report'), ['underline', true]);
  },
);

test(
  'on a phone, what belongs together in the lists of topics and of the past year stays so',
  options,
  async () => {
    const named = await people.server.register();
    const metadata = { topics: ['ox', 'a topic with a name of several words'] };
    await people.server.published(named, { metadata });
    await using visitor = await people.visit({ viewport: { width: 390, height: 844 } });
    const { page } = visitor;
    await page.goto('/topics');
    const beside = await page.locator('.rows > li').evaluateAll((rows) =>
      rows.flatMap((row) => {
        const [name, figures] = Array.from(row.children, (part) => part.getBoundingClientRect());
        const isBelow =
          name !== undefined && figures !== undefined && name.bottom <= figures.top + 4;
        return isBelow ? [] : [row.textContent];
      }),
    );
    assert.deepEqual(beside, []);
    await page.goto(`/@${named.username}`);
    const torn = await page
      .locator('.year .part')
      .evaluateAll((parts) => parts.filter((part) => part.getClientRects().length > 1).length);
    assert.equal(torn, 0);
  },
);

test('a single agent on a profile is not torn across two columns', options, async () => {
  await createAgent(people.server, author, {
    display_name: 'A long name of an agent',
    model: 'A large model of many words '.repeat(4),
  });
  await using visitor = await people.visit();
  const { page } = visitor;
  await page.goto(`/@${author.username}`);
  const lefts = await page
    .locator('.agents li')
    .evaluate((item) => new Set(Array.from(item.getClientRects(), ({ left }) => left)).size);
  assert.equal(lefts, 1);
});

test('code that goes on, and lists, look in every place as they do in texts', options, async () => {
  const made = await people.server.published(author, { content: '```\ncode\n```\n' });
  await using person = await people.join();
  const { page } = person;
  const styleOf = (selector: string, name: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
  await page.goto(made.url);
  const shadows = await styleOf('.prose pre', 'background-image');
  assert.equal(shadows.match(/linear-gradient/g)?.length, 4);
  await page.goto('/docs/api/create-article');
  assert.equal(await styleOf('pre.code', 'background-image'), shadows);
  for (const path of ['/settings/limits', '/settings/close']) {
    await page.goto(path);
    assert.equal(await styleOf('main ul:not([class])', 'padding-left'), '22.4px', path);
  }
});

/** Runs in the page: labels that cover another one or their own node, by a unit or more. */
function coveringLabels() {
  const boxOf = (element: SVGGraphicsElement) => element.getBBox();
  const labels = [...document.querySelectorAll<SVGGraphicsElement>('#graph .n text')];
  const overlap = (one: DOMRect, other: DOMRect) =>
    Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) > 1 &&
    Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) > 3;
  return labels.flatMap((label, index) => {
    const node = label.parentElement?.querySelector<SVGGraphicsElement>(':not(text)');
    const near = labels.slice(index + 1).filter((one) => one.parentElement !== label.parentElement);
    const others = [...near, ...(node ? [node] : [])];
    return others
      .filter((other) => overlap(boxOf(label), boxOf(other)))
      .map((other) => `${label.textContent} over ${other.textContent || other.tagName}`);
  });
}

test('labels of a graph cover neither each other nor their nodes', options, async () => {
  const { server } = people;
  const title = (n: number) => `${n} Notes on a measure of common moss, once more`;
  const works = await Promise.all(
    Array.from({ length: 9 }, (_, n) => server.published(author, { title: title(n) })),
  );
  const [middle, ...others] = works;
  assert.ok(middle);
  for (const other of others) await link(server, author, [other, middle], { kind: 'extends' });
  await untilSettled(server);
  await using visitor = await people.visit();
  const { page } = visitor;
  await page.goto(`${new URL(middle.url).pathname}/graph`);
  await page.locator('#graph .n text').first().waitFor();
  assert.deepEqual(await page.evaluate(coveringLabels), []);
});

/** Runs in the page: items of lines of facts whose dot is not between two of them, and dots that are seen before a line. */
function straysAmongDots() {
  return [...document.querySelectorAll<HTMLElement>('.meta')].flatMap((line) => {
    const isLeftToRight = !line.matches(':dir(rtl)');
    const edge = line.getBoundingClientRect();
    return [...line.children].flatMap((item, index) => {
      const before = line.children[index - 1];
      if (before === undefined || item.matches('.badge')) return [];
      const [own, other] = [item.getBoundingClientRect(), before.getBoundingClientRect()];
      const dot = getComputedStyle(item, '::before');
      if (!dot.content.includes('·')) return [`no dot before ${item.textContent}`];
      // Half the width of the dot’s place is empty on each side of it.
      const middle = Number.parseFloat(dot.width) / 2;
      const [outside, gap] = isLeftToRight
        ? [edge.left - own.left + middle, own.left - other.right]
        : [own.right - edge.right + middle, other.left - own.right];
      const isInLine = own.top < other.bottom && own.bottom > other.top;
      if (isInLine) return Math.abs(gap - 2 * middle) < 2 ? [] : [`gap before ${item.textContent}`];
      // The focus needs 5 pixels; what is further out is cut off.
      return outside > 6 ? [] : [`a dot begins the line of ${item.textContent}`];
    });
  });
}

test('dots stand between facts, and neither begin nor end a line', options, async () => {
  const { server } = people;
  const body = { display_name: `${'Wolfeschlegelstein'.repeat(3)} Senior` };
  const named = await server.register();
  await server.ask('PATCH', `/v1/principals/${named.id}`, { token: named.token, key: true, body });
  const english = await server.published(named);
  const arabic = await server.published(named, {
    title: 'مقدمة',
    content: 'مرحبا',
    language: 'ar',
  });
  await using visitor = await people.visit();
  const { page } = visitor;
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const { url } of [english, arabic]) {
      await page.goto(url);
      assert.ok((await page.locator('.meta > * + *').count()) > 0);
      assert.deepEqual(await page.evaluate(straysAmongDots), [], `${url} at ${width}`);
      const clip = await page
        .locator('.meta')
        .first()
        .evaluate((line) => getComputedStyle(line).clipPath);
      assert.match(clip, /^inset\(.*5px/);
    }
  }
  await page.emulateMedia({ media: 'print' });
  const width = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  assert.equal(width, 0, 'on paper');
  const name = page.locator('.by').first();
  assert.equal(await name.evaluate((by) => getComputedStyle(by).textAlign), 'right');
});

test('the bar of a phone’s browser has the colour of the page', options, async () => {
  await using visitor = await people.visit();
  const { page } = visitor;
  await page.goto('/');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const [paper, bar] = await page.evaluate(() => {
      const chosen = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
      const shown = chosen.find(({ media }) => matchMedia(media).matches);
      const probe = document.createElement('i');
      document.body.append(probe);
      probe.style.setProperty('color', shown?.content ?? '');
      return [
        getComputedStyle(document.documentElement).backgroundColor,
        getComputedStyle(probe).color,
      ];
    });
    assert.equal(bar, paper, colorScheme);
  }
});
