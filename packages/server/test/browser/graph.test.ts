// A graph of 200 works in a real browser: walked by keyboard with the names of a screen reader, zoomed, and without scripts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits } from '@colophon/contract';
import type { Page } from 'playwright-core';
import { ask, link, untilSettled } from '#test/edges';
import type { Human, Response, TestServer } from '#test/harness';
import { noBrowser } from './browser.ts';
import { weigh } from './page-bytes.ts';
import { openPeople } from './people.ts';
import type { People, Person } from './people.ts';

const options = { skip: noBrowser };

let people: People;
let visitor: Person;
let path: string;

type Made = Response['body'];

/** Links an article with so many addresses. */
async function citeMany(server: TestServer, author: Human, { id }: Made, count: number) {
  const uris = Array.from({ length: count }, (_, n) => `https://example.org/${id}/${n}`);
  await Promise.all(
    uris.map((dst_uri) => ask(server, author, { src_article_id: id, dst_uri, kind: 'uses_data' })),
  );
}

before(async () => {
  if (noBrowser !== false) return;
  people = await openPeople();
  const { server } = people;
  const author = await server.register();
  const publish = (title: string) => server.published(author, { title });
  const middle = await publish('The middle');
  const others = await Promise.all(Array.from({ length: 14 }, (_, n) => publish(`Work ${n}`)));
  for (const other of others) {
    await link(server, author, [other, middle], { kind: 'extends' });
    await citeMany(server, author, other, 14);
  }
  await untilSettled(server);
  path = `${new URL(middle.url).pathname}/graph?depth=2`;
  visitor = await people.visit();
});
after(() => people?.[Symbol.asyncDispose]());

interface Point {
  readonly x: number;
  readonly y: number;
}

const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id ?? '');

/** Returns the names of the works in the picture, as the browser gives them to screen readers. */
async function accessibleNames(page: Page): Promise<readonly string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  return nodes
    .map(({ name }) => String(name?.value ?? ''))
    .filter((name) => /, (?:one|two) steps? away\. |, the article in the middle\. /.test(name));
}

test('each of 200 works is reached by keyboard, once, and each has a name', options, async () => {
  const { page } = visitor;
  await page.goto(path);
  assert.equal(await page.locator('#graph .n').count(), limits.graph_nodes_max);
  const names = await accessibleNames(page);
  assert.equal(names.length, limits.graph_nodes_max);
  assert.match(
    names.find((name) => name.startsWith('Work 3,')) ?? '',
    /, by @\S+ \(human\), one step away\. Extends “The middle”/,
  );
  await page.getByRole('link', { name: /^The middle, by/ }).focus();
  await page.keyboard.press('PageDown');
  assert.equal(await focusedId(page), 'dot-1');
  // The other keys in one go: each real one is a round trip to the browser.
  const met = await page.evaluate((count) => {
    const seen = new Set<string>(['dot-0']);
    for (let step = 1; step < count; step += 1) {
      seen.add(document.activeElement?.id ?? '');
      const pressed = new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true });
      document.activeElement?.dispatchEvent(pressed);
    }
    return seen.size;
  }, limits.graph_nodes_max);
  assert.equal(met, limits.graph_nodes_max);
  assert.equal(await page.locator('#graph [tabindex="0"]').count(), 1);
  await page.keyboard.press('Home');
  assert.equal(await focusedId(page), 'dot-0');
});

/** Takes out what participants wrote: titles, names and addresses, wherever they stand. */
function withoutTexts(html: string): string {
  return html
    .replaceAll(/>[^<]+</g, '><')
    .replaceAll(/ aria-label="[^"]*"/g, '')
    .replaceAll(/href="(?!#)[^"]*"/g, '');
}

test('the largest picture and its list have at most 50 KB besides texts', options, async (t) => {
  const found = await weigh(people.server, visitor.page, path, withoutTexts);
  assert.ok(found.bytes < 50_000, JSON.stringify(found));
  t.diagnostic(JSON.stringify(found));
});

test(
  'arrows go in their direction, what is chosen is said, and Enter opens it',
  options,
  async () => {
    const { page } = visitor;
    await page.goto(path);
    await page.locator('#dot-0').focus();
    const middleOf = async () => {
      const box = await page.locator(`#${await focusedId(page)} > :first-child`).boundingBox();
      assert.ok(box);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const from = await middleOf();
    await page.keyboard.press('ArrowRight');
    const right = await middleOf();
    assert.ok(right.x - from.x > Math.abs(right.y - from.y) / 2, JSON.stringify([from, right]));
    await page.keyboard.press('ArrowDown');
    assert.ok((await middleOf()).y > right.y);
    await page.keyboard.press('Home');
    await page.keyboard.press('PageDown');
    const title = (await page.locator('#node-1 a').first().textContent()) ?? '';
    assert.match(title, /^Work \d+$/);
    await page.locator('#graph-chosen').getByText(title, { exact: true }).waitFor();
    // It stands out, with its edges and what they lead to.
    const edges = await page.locator('#graph .e .on').count();
    assert.ok(edges > 1);
    assert.equal(await page.locator('#graph .n.on').count(), edges + 1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  },
);

/** Returns the part of the picture that is shown. */
async function frameOf(page: Page) {
  const box = (await page.locator('#graph').getAttribute('viewBox')) ?? '';
  const [x = 0, y = 0, width = 0, height = 0] = box.split(' ').map(Number);
  return { x, y, width, height };
}

function isFocusInside(page: Page, frame: Awaited<ReturnType<typeof frameOf>>): Promise<boolean> {
  return page.evaluate(({ x, y, width, height }) => {
    const outline = document.activeElement?.firstElementChild as SVGGraphicsElement;
    const box = outline.getBBox();
    const isAcross = box.x > x && box.x < x + width;
    return isAcross && box.y > y && box.y < y + height;
  }, frame);
}

test(
  'plus and minus zoom, the walk stays in the frame, and Whole picture shows it all',
  options,
  async () => {
    const { page } = visitor;
    await page.goto(path);
    const whole = await frameOf(page);
    await page.locator('#dot-0').focus();
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('+');
    const near = await frameOf(page);
    assert.ok(near.width < whole.width / 3);
    await page.keyboard.press('End');
    assert.ok(await isFocusInside(page, await frameOf(page)));
    await page.getByRole('button', { name: 'Whole picture' }).click();
    assert.deepEqual(await frameOf(page), whole);
    assert.deepEqual(visitor.complaints, []);
  },
);

test(
  'without scripts the picture has links, and the list leads from work to work',
  options,
  async () => {
    await using plain = await people.visit({ withoutScripts: true });
    await plain.page.goto(path);
    assert.equal(await plain.page.getByRole('button', { name: 'Zoom in' }).count(), 0);
    // Works that are written at once are numbered in any order.
    const first = plain.page.locator('#node-1 a').first();
    const name = await first.innerText();
    await first.click();
    await plain.page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await plain.page.getByRole('link', { name: /^Connections/ }).click();
    await plain.page.locator('#dot-0 > circle').click();
    await plain.page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
  },
);

/** Puts fingers down at points of the window, moves them to others, and lifts them: real touches, as a screen sends them. */
async function touch(page: Page, ways: readonly (readonly [from: Point, to: Point])[]) {
  const devtools = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: readonly Point[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints] });
  const steps = 8;
  const at = (step: number) =>
    ways.map(([from, to], id) => ({
      id,
      x: from.x + ((to.x - from.x) * step) / steps,
      y: from.y + ((to.y - from.y) * step) / steps,
    }));
  await send('touchStart', at(0));
  for (let step = 1; step <= steps; step += 1) await send('touchMove', at(step));
  await send('touchEnd', []);
  await devtools.detach();
}

test('two fingers zoom the picture and not the page, and one moves it then', options, async () => {
  await using phone = await people.visit({ hasTouch: true });
  const { page } = phone;
  await page.goto(path);
  await page.locator('#graph').scrollIntoViewIfNeeded();
  const whole = await frameOf(page);
  const box = await page.locator('#graph').boundingBox();
  assert.ok(box);
  const view = page.viewportSize();
  assert.ok(view);
  const middle = {
    x: box.x + box.width / 2,
    y: (Math.max(0, box.y) + Math.min(view.height, box.y + box.height)) / 2,
  };
  const empty = { x: box.x + 3, y: middle.y };
  const aside = (by: number): Point => ({ x: middle.x + by, y: middle.y });
  await touch(page, [
    [aside(-30), aside(-90)],
    [aside(30), aside(90)],
  ]);
  const near = await frameOf(page);
  assert.ok(Math.abs(whole.width / near.width - 3) < 0.2, JSON.stringify([whole, near]));
  const scale = await page.evaluate(() => window.visualViewport?.scale);
  assert.equal(scale, 1);
  assert.equal(new URL(page.url()).pathname, path.split('?')[0]);
  // What was between the fingers is still there.
  const share = (frame: typeof whole) => frame.x + frame.width / 2;
  assert.ok(Math.abs(share(near) - share(whole)) < whole.width / 50);
  await touch(page, [[empty, { x: empty.x + 40, y: empty.y }]]);
  assert.ok((await frameOf(page)).x < near.x - 5);
  await touch(page, [
    [aside(90), aside(30)],
    [aside(-90), aside(-30)],
  ]);
  assert.ok((await frameOf(page)).width > whole.width * 0.95);
  assert.deepEqual(phone.complaints, []);
});
