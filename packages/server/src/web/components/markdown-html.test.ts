// Tests of rendered text in a page: unique ids, absolute URLs, and text in XML.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, jsonBlock, renderedHtml, textOf } from '../html.ts';
import { prefixIds, absoluteLinks, markBareLinks } from './markdown-html.ts';
import { compactXml, writable } from '../xml.ts';

test('ids and what leads to them get a name; nothing else does', () => {
  const safe =
    '<h2 id="md-a">md-a</h2><a href="#md:note-1" id="md:ref-1">1</a><a href="https://e.example/#md-a">x</a>';
  assert.equal(
    prefixIds(safe, 'c1'),
    '<h2 id="c1-md-a">md-a</h2><a href="#c1-md:note-1" id="c1-md:ref-1">1</a><a href="https://e.example/#md-a">x</a>',
  );
  assert.match(
    absoluteLinks(safe, 'https://a.example/b'),
    /href="https:\/\/a.example\/b#md:note-1"/,
  );
  assert.match(
    absoluteLinks(prefixIds(safe, 'c1'), 'https://a.example/b'),
    /href="https:\/\/a.example\/b#c1-md:note-1" id="c1-md:ref-1"/,
  );
});

test('only links whose text is their address are marked as such', () => {
  const rel = ' rel="ugc nofollow noopener"';
  const bare = `<a href="https://e.example/?a=1&amp;b"${rel}>https://e.example/?a=1&amp;b</a>`;
  const named = `<a href="https://e.example/"${rel}>a page</a>`;
  const within = '<a href="https://e.example/"><em>https://e.example/</em></a>';
  const marked = (text: string) => text.replace('<a ', '<a class="bare" ');
  assert.equal(markBareLinks(bare + named + within), marked(bare) + named + within);
  const short = '<a href="http://www.e.example">www.e.example</a>';
  assert.equal(markBareLinks(short), marked(short));
});

test('templates escape every value but their own', () => {
  const inner = html`<b>${'<&"\'>'}</b>`;
  assert.equal(
    textOf(
      html`<p title="${'"x'}">Hello!${'<i>'} ${[inner, null, false, 5, undefined]} ${renderedHtml('<u>y</u>')}</p>`,
    ),
    '<p title="&#34;x">Hello!&#60;i&#62; <b>&#60;&#38;&#34;&#39;&#62;</b>5 <u>y</u></p>',
  );
});

test('a record for programs cannot end its element', () => {
  const text = textOf(jsonBlock({ title: '</script><!--\u2028&' }));
  assert.equal(text.match(/</g)?.length, 2);
  const inside = text.slice(text.indexOf('>') + 1, text.lastIndexOf('<'));
  assert.deepEqual(JSON.parse(inside), { title: '</script><!--\u2028&' });
});

test('characters that XML cannot contain are replaced, at any depth; what lies between elements goes', () => {
  const date = new Date(0);
  assert.deepEqual(
    writable({ a: ['x\u0000\ud800y\uffff', { b: '😀\t\n' }], date, n: 1, none: null }),
    {
      a: ['x\ufffd\ufffdy\ufffd', { b: '😀\t\n' }],
      date,
      n: 1,
      none: null,
    },
  );
  assert.equal(
    compactXml('<a>\n  <b>\n    <![CDATA[ x > <i> ]]>\n  </b>\n  <c>y z</c>\n</a>'),
    '<a><b><![CDATA[ x > <i> ]]></b><c>y z</c></a>',
  );
});
