// Pages in a real browser: hostile texts of participants run nothing, and everybody can use what they see.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inParallel } from '#test/bad-input/bystander';
import { comment } from '#test/comments';
import { link, untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { drawSample } from '../faults/sampled.ts';
import { noBrowser, openBrowser } from './browser.ts';
import type { Browser } from './browser.ts';
import { payloads } from './payloads.ts';

const paragraphs = payloads().filter(({ place }) => place === 'paragraph');
const list = drawSample(paragraphs, Math.ceil(paragraphs.length / 8));
const all = payloads();

let browser: Browser;
before(async () => {
  if (noBrowser === false) browser = await openBrowser();
});
after(() => browser?.close());

interface Planted {
  readonly paths: readonly string[];
  readonly texts: number;
}

/** Every vector as name, description, title, topic, text, comment and note of a link, as far as each is taken. */
async function plant(server: TestServer): Promise<Planted> {
  const paths: string[] = [];
  let texts = 0;
  const hub = await server.published(await server.register(), { title: 'A hub' });
  await inParallel([...list.entries()], 4, async ([index, { markdown }]) => {
    const human = await server.register();
    const { token } = human;
    const profile = [{ display_name: markdown.slice(0, 120) }, { bio: markdown }];
    for (const body of profile) {
      const { status } = await server.ask('PATCH', `/v1/principals/${human.id}`, { token, body });
      if (status === 200) texts += 1;
    }
    const body = {
      title: markdown.slice(0, 300),
      content: `${markdown}\n\n# ${markdown}\n\n[x](${markdown})`,
      metadata: { topics: [markdown.slice(0, 50), `<b>${index}`] },
    };
    const draft = await server.ask('POST', '/v1/articles', { token, key: true, body });
    if (draft.status !== 201) return;
    const { id } = draft.body;
    const made = await server.ask('POST', `/v1/articles/${id}/publish`, {
      token,
      key: true,
      body: {},
    });
    await comment(server, human, id, { content: `${markdown} <${markdown}>`, stance: 'asks' });
    await link(server, human, [{ id }, hub], { kind: 'extends', note: markdown.slice(0, 1_000) });
    texts += 3;
    const path = new URL(made.body.url).pathname;
    paths.push(path, `/@${human.username}`);
    const revision = `${path}/revisions/${made.body.revision_id}`;
    const changes = `${path}/revisions?to=${made.body.revision_id}&view=sides`;
    if (index % 5 === 0) paths.push(revision, changes, `${path}/cite`);
  });
  await untilSettled(server);
  const around = new URL(hub.url).pathname;
  return { paths: [...paths, around, `${around}/graph`], texts };
}

/** Runs in the page: fires what a reader's hand does; answers what should not be there. */
function lookAround(): string[] {
  const strange: string[] = [];
  const unwanted =
    'iframe, object, embed, svg, math, base, style, template, noscript, script:not([type="application/ld+json"], [src^="/assets/"])';
  // What the service draws, of nothing but these parts.
  const pictures = ':is(.hangs, .stances li, .year, .canvas) > svg, svg.swatch';
  const drawn = 'defs, marker, g, a, path, circle, rect, text';
  const parts = `:is(${pictures}) :not(${drawn})`;
  for (const element of document.querySelectorAll(`:is(${unwanted}):not(${pictures}), ${parts}`))
    strange.push(element.nodeName);
  const places = /^(?:https?:|mailto:|\/|#|doi:|urn:|ipfs:|at:|nostr:|gemini:)/;
  for (const element of document.querySelectorAll('*')) {
    for (const type of ['mouseover', 'focus', 'toggle', 'error', 'load'])
      element.dispatchEvent(new Event(type));
    for (const { name, value } of element.attributes) {
      const active = /^(?:on|style$|srcdoc$|formaction$)/.test(name);
      const leads = /^(?:href|src|action)$/.test(name) && !places.test(value);
      if (active || leads) strange.push(`${element.nodeName} ${name} ${value}`);
    }
  }
  for (const block of document.querySelectorAll('script:not([src])')) JSON.parse(block.textContent);
  return strange;
}

interface Met {
  readonly ran: readonly unknown[];
  readonly events: readonly string[];
  readonly strange: readonly string[];
}

/** Visits pages, without the policy that would stop what got through. */
async function visit(baseUrl: string, paths: readonly string[]): Promise<Met> {
  const context = await browser.newContext({ bypassCSP: true });
  const [ran, events, strange]: [unknown[], string[], string[]] = [[], [], []];
  await context.exposeFunction('ran', (number: unknown) => void ran.push(number));
  const page = await context.newPage();
  page.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => events.push(`error ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${baseUrl}/`)) events.push(`request ${request.url()}`);
  });
  for (const path of paths) {
    await page.goto(baseUrl + path, { waitUntil: 'load' });
    strange.push(...(await page.evaluate(lookAround)).map((one) => `${path}: ${one}`));
    if (new URL(page.url()).pathname !== new URL(baseUrl + path).pathname)
      events.push(`went to ${page.url()}`);
  }
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  await context.close();
  return { ran, events, strange };
}

test('nothing that participants write runs on any page', { skip: noBrowser }, async (t) => {
  await using server = await startServer();
  const planted = await plant(server);
  assert.ok(planted.texts > list.length * 3, `${planted.texts} texts`);
  const queries = list.map(({ markdown }) => encodeURIComponent(markdown.slice(0, 200)));
  const paths = [
    '/',
    '/?kind=trending',
    '/topics',
    ...planted.paths,
    ...queries.map((query) => `/search?q=${query}&type=${query}`),
    ...all.slice(0, 20).map(({ markdown }) => `/nowhere/${encodeURIComponent(markdown)}`),
  ];
  const half = Math.ceil(paths.length / 2);
  const halves = [paths.slice(0, half), paths.slice(half)];
  for (const met of await Promise.all(halves.map((some) => visit(server.baseUrl, some)))) {
    assert.deepEqual(met.ran, []);
    assert.deepEqual(met.events, []);
    assert.deepEqual(met.strange, []);
  }
  t.diagnostic(`${planted.texts} texts on ${paths.length} pages, 0 scripts`);
});

test(
  'the same texts run in a page that does not escape: the browser would have told',
  { skip: noBrowser },
  async () => {
    const page = await browser.newPage();
    const ran: unknown[] = [];
    await page.exposeFunction('ran', (number: unknown) => void ran.push(number));
    await page.setContent(paragraphs.map(({ markdown }) => `<div>${markdown}</div>`).join('\n'));
    await page.waitForFunction(() => document.readyState === 'complete');
    await page.close();
    assert.ok(ran.length > 3, `${ran.length} ran`);
  },
);

/** Runs in the page: texts whose colour is too close to what is behind them (WCAG 2.2, 1.4.3). */
function faint(): string[] {
  const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const light = (color: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = color.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element: Element | null): readonly number[] => {
    if (element === null) return [255, 255, 255];
    const color = channels(getComputedStyle(element).backgroundColor);
    return color.length === 4 && color[3] === 0 ? behind(element.parentElement) : color.slice(0, 3);
  };
  const found: string[] = [];
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent?.trim(),
    );
    if (!own || element.closest('.skip') !== null) continue;
    const [one, two] = [
      light(channels(getComputedStyle(element).color).slice(0, 3)),
      light(behind(element)),
    ];
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (ratio < 4.5)
      found.push(
        `${element.nodeName}.${element.className} ${ratio.toFixed(2)} ${element.textContent}`,
      );
  }
  return found;
}

/** Runs in the page: fields without a name. */
function unnamedFields(): string[] {
  const fields = [
    ...document.querySelectorAll<HTMLInputElement>('main input:not(.prose input), button'),
  ];
  return fields
    .filter((field) => !field.labels?.length && !field.textContent?.trim())
    .map((field) => `${field.name} has no name`);
}

async function problemsOn(page: Page): Promise<string[]> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  const [colours, fields] = [await page.evaluate(faint), await page.evaluate(unnamedFields)];
  return [...(wide > 0 ? [`${wide} px too wide`] : []), ...colours, ...fields];
}

test(
  'pages fit 320 pixels, are legible in light and dark, and are used by keyboard',
  { skip: noBrowser },
  async () => {
    await using server = await startServer();
    const human = await server.register();
    const long =
      'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2);
    const made = await server.published(human, {
      title: long,
      content: `# ${long}\n\n${long} \`${long}\` <https://e.example/${long}>\n\n| ${'a | '.repeat(20)}\n|${'-|'.repeat(20)}\n\n\`\`\`ts\nconst ${long} = 'x'; // ${long}\n\`\`\`\n\n> quote\n\n- [x] done\n\nx[^1]\n\n[^1]: note`,
      metadata: { topics: ['deep sea', long.slice(0, 50)] },
    });
    await comment(server, human, made.id, { content: long });
    const paths = [
      made.url,
      '/',
      `/@${human.username}`,
      '/topics',
      '/search?q=quote',
      '/search?q=zzzz',
      '/docs/api',
      '/docs/api/create-article',
      '/nowhere',
    ];
    const violations: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width: 320, height: 640 },
      });
      const page = await context.newPage();
      page.on('console', (message) => violations.push(message.text()));
      for (const path of paths) {
        await page.goto(new URL(path, server.baseUrl).href);
        assert.deepEqual(await problemsOn(page), [], `${colorScheme} ${path}`);
      }
      await page.goto(made.url);
      await page.keyboard.press('Tab');
      const first = await page.evaluate(() => document.activeElement?.textContent);
      assert.equal(first, 'Skip to the content');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.locator('.top nav').first().isVisible(), false);
      await context.close();
    }
    const told = violations.filter((text) => !text.includes('404 (Not Found)'));
    assert.deepEqual(told, [], 'the policy of the pages stops nothing of their own');
  },
);

/** Runs in the page: the colours of the buttons that can be pressed and of those that cannot. */
function buttonColours() {
  const look = (selector: string) =>
    Array.from(document.querySelectorAll(selector), (button) => {
      const { color, backgroundColor, borderStyle } = getComputedStyle(button);
      return [color, backgroundColor, borderStyle].join();
    });
  const at = (state: string) => `#buttons button${state}, section button${state}`;
  return { able: look(at(':enabled:not([aria-busy])')), unable: look(at(':disabled')) };
}

test(
  'a disabled button looks like none that can be pressed, and is legible',
  { skip: noBrowser },
  async () => {
    await using server = await startServer();
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme });
      const page = await context.newPage();
      await page.goto(new URL('/-/pieces', server.baseUrl).href);
      const { able, unable } = await page.evaluate(buttonColours);
      assert.ok(unable.length >= 2 && able.length >= 2);
      for (const one of unable) assert.ok(!able.includes(one), `${colorScheme}: ${one}`);
      const all = await page.evaluate(faint);
      assert.deepEqual(
        all.filter((one) => one.startsWith('BUTTON')),
        [],
        colorScheme,
      );
      await context.close();
    }
  },
);
