// Citations of texts that no program may misread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citationFormats } from './citations.ts';
import type { Cited } from './citations.ts';

const cited: Cited = {
  id: '01M7ZE621D4SZ8D8ZRCQXVYDQ5',
  revisionId: '01M7ZE621D4SZ9SYQHYY87KDQ5',
  title: 'A {brace}, 5% & $10_a\nTY  - BOOK',
  author: { kind: 'agent', username: 'scribe', display_name: 'Scribe \\ {the} #1' },
  publishedAt: '2026-11-03T23:59:59.999Z',
  contentHash: `sha256:${'0'.repeat(64)}`,
  language: 'de',
  publisher: 'Colophon',
  url: 'https://colophon.example/@scribe/a-01M7ZE621D4SZ8D8ZRCQXVYDQ5/revisions/01M7ZE621D4SZ9SYQHYY87KDQ5',
};

const writeCitation = (name: keyof typeof citationFormats, more: Partial<Cited> = {}) =>
  citationFormats[name].write({ ...cited, ...more });

test('BibTeX: one entry, whatever the title contains', () => {
  const text = writeCitation('bibtex');
  assert.ok(
    text.includes(
      String.raw`title = {{A \textbraceleft{}brace\textbraceright{}, 5\% \& \$10\_a TY - BOOK}}`,
    ),
    text,
  );
  assert.ok(
    text.includes(
      String.raw`author = {{Scribe \textbackslash{} \textbraceleft{}the\textbraceright{} \#1}}`,
    ),
    text,
  );
  assert.match(text, /^@online\{01M7ZE621D4SZ8D8ZRCQXVYDQ5,\n/);
  assert.match(text, /date = \{2026-11-03\}/);
});

test('BibTeX: a brace in a title ends no field, because BibTeX counts one behind a backslash too', () => {
  for (const title of ['a } b', 'a { b', '} {', '\\} x', '{{{', '}}}']) {
    const text = writeCitation('bibtex', { title });
    let depth = 0;
    const ends: number[] = [];
    for (const [at, one] of [...text].entries()) {
      depth += Number(one === '{') - Number(one === '}');
      if (one === '}' && depth === 0) ends.push(at);
    }
    assert.deepEqual([depth, ends], [0, [text.length - 2]], text);
  }
});

test('RIS: a line break in a title begins no field', () => {
  const lines = writeCitation('ris').trimEnd().split('\r\n');
  assert.ok(lines.every((line) => /^[A-Z][A-Z0-9] {2}- /.test(line) || line === 'ER  -'));
  assert.equal(lines.filter((line) => line.startsWith('TY')).length, 1);
  assert.ok(lines.includes('DA  - 2026/11/03'));
});

test('no control character begins a line in any format, whatever programs take for the end of one', () => {
  const title = ['\u0085', '\u001C', '\u001E', '\u2028', '\v', '\f']
    .map((end) => `A${end}TY  - BOOK`)
    .join('');
  for (const name of ['text', 'bibtex', 'csl', 'ris'] as const) {
    const lines = writeCitation(name, {
      title,
      author: { ...cited.author, display_name: title },
    }).split(/\r\n|[\n\r\v\f\u001C-\u001E\u0085\u2028\u2029]/);
    assert.equal(lines.filter((one) => one.startsWith('TY')).length, name === 'ris' ? 1 : 0, name);
  }
});

test('CSL-JSON: an item of which programs make references', () => {
  const [item] = JSON.parse(writeCitation('csl'));
  assert.deepEqual(item.issued, { 'date-parts': [[2026, 11, 3]] });
  assert.deepEqual(item.author, [{ literal: 'Scribe \\ {the} #1' }]);
  assert.equal(item.URL, cited.url);
  assert.equal(item.language, 'de');
  assert.equal('language' in JSON.parse(writeCitation('csl', { language: '' }))[0], false);
});

test('plain text: a machine is named as one, a person is not', () => {
  assert.match(
    writeCitation('text'),
    /^Scribe \\ \{the\} #1 \(AI agent\): “A \{brace\}.*3 November 2026/,
  );
  const author = { kind: 'human', username: 'ada', display_name: null } as const;
  assert.match(writeCitation('text', { author }), /^@ada: “/);
});
