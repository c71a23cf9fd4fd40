// Hostile Markdown in a real browser, in pages that nothing but the renderer protects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import markdownIt from 'markdown-it';
import { createRenderer } from '../../../text/src/markdown/renderer.ts';
import { noBrowser, openBrowser } from './browser.ts';
import type { Browser } from './browser.ts';
import { payloads } from './payloads.ts';
import type { Payload } from './payloads.ts';

const base = 'http://base.example';
const media = 'http://media.example';

interface Seen {
  /** Numbers of payloads whose script ran. */
  readonly ran: readonly number[];
  /** Dialogs, words on the console, requests to elsewhere, pages that went elsewhere. */
  readonly events: readonly string[];
  /** Elements, attributes and addresses that no rendered text may have. */
  readonly strange: readonly string[];
}

function attribute(html: string): string {
  return html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** One frame for each document. */
function pageOf(documents: readonly string[]): string {
  const frames = documents.map(
    (html, index) => `<iframe name="f${index}" srcdoc="${attribute(html)}"></iframe>`,
  );
  const script = 'window.numbers = []; window.ran = (number) => window.numbers.push(number);';
  return `<!doctype html><title>x</title><script>${script}</script>${frames.join('\n')}`;
}

/** A node of a rendered text: its name, and its attributes by name. */
type Met = readonly [name: string, attributes: readonly (readonly [string, string])[]];

/** Runs in the page: fires what a reader's hand does, and answers which nodes there are. */
function lookAround(): Met[] {
  const met: Met[] = [];
  for (const frame of document.querySelectorAll('iframe')) {
    const inside = frame.contentDocument;
    if (inside === null) continue;
    const nodes = inside.createTreeWalker(inside.body, 0x1 | 0x80);
    while (nodes.nextNode()) {
      const node = nodes.currentNode as Element;
      const attributes = [...(node.attributes ?? [])].map(
        ({ name, value }) => [name, value] as const,
      );
      met.push([node.nodeName.toLowerCase(), attributes]);
      for (const type of ['mouseover', 'focus', 'toggle', 'error', 'load'])
        node.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }
  return met;
}

const elements = new Set(
  'div a blockquote br code del em figcaption figure h1 h2 h3 h4 h5 h6 hr img input li ol p pre section span strong sup table tbody td th thead tr ul'.split(
    ' ',
  ),
);
const anyValue = new Set(
  'a title,a rel,a aria-label,img alt,img title,img loading,input type,input disabled,input checked,td align,th align,ol start'.split(
    ',',
  ),
);
const values: Readonly<Record<string, RegExp>> = {
  href: /^(?:https?:\/\/[^/\\]|(?:mailto|doi|urn|ipfs|at|nostr|gemini):|#md[-:])/,
  src: /^http:\/\/media\.example\/media\/[0-9A-Z]{26}$/,
  id: /^md[-:]/,
  class: /^[\w-]+( [\w-]+)*$|^language-\S+$/,
};

function strangeOf([name, attributes]: Met): string[] {
  if (!elements.has(name)) return [`<${name}>`];
  return attributes.flatMap(([key, value]) => {
    const fits = values[key]?.test(value) ?? anyValue.has(`${name} ${key}`);
    return fits ? [] : [`<${name} ${key}="${value}">`];
  });
}

async function show(browser: Browser, documents: readonly string[]): Promise<Seen> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const events: string[] = [];
  await context.route('**/*', (route) => {
    const address = route.request().url();
    if (address === `${base}/`)
      return route.fulfill({ contentType: 'text/html', body: pageOf(documents) });
    if (!address.startsWith(`${media}/media/`)) events.push(`request ${address}`);
    return route.abort();
  });
  page.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    // The browser itself reports pictures that the route above did not give it.
    if (!message.location().url.startsWith(`${media}/media/`))
      events.push(`console ${message.text()}`);
  });
  page.on('framenavigated', (frame) => {
    if (frame.url() !== `${base}/` && !/^about:(?:srcdoc|blank)$/.test(frame.url()))
      events.push(`navigation ${frame.url()}`);
  });
  page.on('popup', (popup) => events.push(`window ${popup.url()}`));
  await page.goto(`${base}/`, { waitUntil: 'load' });
  const met = await page.evaluate(lookAround);
  // What was set off runs before the page answers again, twice round the event loop.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  const ran = await page.evaluate(() => (window as unknown as { numbers: number[] }).numbers);
  await context.close();
  return { ran, events, strange: met.flatMap(strangeOf) };
}

async function showAll(documents: readonly string[]): Promise<Seen> {
  const browser = await openBrowser();
  try {
    return await show(browser, documents);
  } finally {
    await browser.close();
  }
}

const list = payloads();

test(
  'no script of hundreds runs in a browser, and no text reaches out of its page',
  {
    skip: noBrowser,
  },
  async (t) => {
    assert.ok(list.length >= 300, `${list.length} payloads`);
    const render = createRenderer({ baseUrl: base, mediaBaseUrl: `${media}/media` });
    const html = ({ markdown }: Payload) => `<div>${render(markdown).html}</div>`;
    const documents = Map.groupBy(list, ({ place }) => place).values();
    const seen = await showAll([...documents].map((texts) => texts.map(html).join('\n')));
    assert.deepEqual(
      seen.ran.map((number) => list[number]),
      [],
    );
    assert.deepEqual(seen.events, []);
    assert.deepEqual(seen.strange, []);
    t.diagnostic(`${list.length} payloads, 0 scripts`);
  },
);

test(
  'the same texts run many scripts where HTML is on: the browser would have told',
  {
    skip: noBrowser,
  },
  async (t) => {
    const parser = markdownIt({ html: true });
    parser.validateLink = () => true;
    const texts = list.filter(({ place }) => place === 'paragraph');
    const seen = await showAll(texts.map(({ markdown }) => parser.render(markdown)));
    const ran = new Set(seen.ran);
    assert.ok(ran.size >= 12, `${ran.size} ran`);
    assert.ok(seen.events.some((event) => event.startsWith('request https://evil.example/')));
    assert.ok(seen.strange.length > 30, `${seen.strange.length} strange`);
    t.diagnostic(`${ran.size} of ${texts.length} ran, ${seen.events.length} events`);
  },
);
