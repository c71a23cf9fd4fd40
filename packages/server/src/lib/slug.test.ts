// Tests of the slugs of titles and topics.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { toNormalForm } from '@colophon/text/lib/normal-form';
import {
  namedTopicsOf,
  slugify,
  topicMetadata,
  topicSlug,
  topicsOf,
  stripDiacritics,
} from './slug.ts';
import { effort } from '#test/effort';

test('slugs of titles', () => {
  const cases: [string, string][] = [
    ['Hello, World!', 'hello-world'],
    ['  A -- B__c  ', 'a-b-c'],
    ['Crème Brûlée à la carte', 'creme-brulee-a-la-carte'],
    ['Straße, Ærø, Łódź, İstanbul, Þór', 'strasse-aero-lodz-istanbul-thor'],
    ['Don’t panic, it\'s "fine"', 'dont-panic-its-fine'],
    ['ﬁne ＡＢＣ x²', 'fine-abc-x2'],
    ['Война и мир: Толстой', 'война-и-мир-толстой'],
    ['日本語のタイトルが', '日本語のタイトルが'],
    ['한국어 제목', '한국어-제목'],
    ['हिन्दी शीर्षक', 'हिन्दी-शीर्षक'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['v1.2.3 — C++ & C#', 'v1-2-3-c-c'],
    ['😀 🚀', 'article'],
    ['', 'article'],
    ['\u0301\u200d', 'article'],
    ['a/../b?c=d#e%2f', 'a-b-c-d-e-2f'],
    [`${'word '.repeat(12)}word`, 'word-'.repeat(12).slice(0, -1)],
    [`${'a'.repeat(60)} b`, 'a'.repeat(60)],
    [`${'a'.repeat(55)} bcdefgh`, 'a'.repeat(55)],
    ['a'.repeat(300), 'a'.repeat(60)],
    ['字'.repeat(300), '字'.repeat(60)],
    ['𝕏𠮷'.repeat(50), 'x𠮷'.repeat(30)],
  ];
  for (const [title, slug] of cases) assert.equal(slugify(title), slug, title);
});

test('property: a slug is letters and digits joined by single dashes, at most 60, and its own slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (title) => {
      const slug = slugify(title);
      assert.match(slug, /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(-[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u);
      assert.ok([...slug].length <= 60);
      assert.equal(slugify(slug), slug);
    }),
    { numRuns: effort(2000, 40_000) },
  );
});

test('a slug is the same whether all of a title is folded or as much as fills it', () => {
  const whole = (title: string) => {
    const folded = toNormalForm(
      stripDiacritics(title).replaceAll(/(?<=\p{L})['’ʼ](?=\p{L})/gu, ''),
    );
    const points = [...(folded.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []).join('-')];
    if (points.length <= 60) return points.join('') || 'article';
    const border = points[60] === '-' ? 60 : points.slice(0, 60).lastIndexOf('-');
    return points.slice(0, border > 0 ? border : 60).join('');
  };
  const titles = [
    '\ufdfa',
    'Σ',
    'ᄀ',
    '각\u1100\u1161',
    '😀',
    'a\u0301',
    "l'",
    'é ',
    '\u0345ᾳ',
    '가',
  ];
  for (const unit of titles)
    for (let count = 1; count <= 300; count += 1)
      assert.equal(slugify(unit.repeat(count)), whole(unit.repeat(count)), `${count} ${unit}`);
  const unit = fc.constantFrom(
    ..."aBß-. '’Σ\u0301\u0345\ufdfa\u1100\u1161\u11a8字İ\u0130\u0f73😀\ud83d",
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 300 }), (title) => {
      assert.equal(slugify(title), whole(title));
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 300 }), (title) => {
      assert.equal(slugify(title), whole(title));
    }),
    { numRuns: effort(1000, 20_000) },
  );
});

test('slugs of topics', () => {
  const cases: [string, string | undefined][] = [
    ['TypeScript', 'typescript'],
    ['  machine  learning ', 'machine-learning'],
    ['machine_learning', 'machine-learning'],
    ['C++', 'c++'],
    ['C#', 'c#'],
    ['Node.js', 'node.js'],
    ['#rust', 'rust'],
    ['.NET', 'net'],
    ['end.', 'end'],
    ['a..b', 'a-b'],
    ['Q&A / tips', 'q-a-tips'],
    ['ＡＩ', 'ai'],
    ['café', 'café'],
    ['日本語', '日本語'],
    ['हिन्दी', 'हिन्दी'],
    ['🚀 rockets', 'rockets'],
    ['<script>', 'script'],
    ['a', undefined],
    ['字', undefined],
    ['', undefined],
    ['++', undefined],
    ['a'.repeat(50), 'a'.repeat(50)],
    ['a'.repeat(51), undefined],
    ['字'.repeat(50), '字'.repeat(50)],
    ['a'.repeat(1_000_000), undefined],
  ];
  for (const [text, slug] of cases) assert.equal(topicSlug(text), slug, text.slice(0, 60));
});

test('property: a topic’s slug is its own slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aBß+#._- İϓé\u0301\u0345字1Σ') }), (text) => {
      const slug = topicSlug(text);
      if (slug === undefined) return;
      assert.equal(topicSlug(slug), slug);
      assert.match(slug, /^[\p{L}\p{N}]/u);
    }),
    { numRuns: effort(5000, 100_000) },
  );
});

test('topics of metadata: what fits, once, in order, at most ten', () => {
  const cases: [unknown, string[]][] = [
    [{ topics: ['AI', 'ai', 'C++', 'a', 5, null, ['x'], 'Web dev'] }, ['ai', 'c++', 'web-dev']],
    [
      { topics: Array.from({ length: 20 }, (_, index) => `topic ${index}`) },
      Array.from({ length: 10 }, (_, index) => `topic-${index}`),
    ],
    [{ topics: [...Array.from({ length: 19 }, () => '-'), 'ai', 'late'] }, ['ai']],
    [{ topics: ['\ufdfa'.repeat(50), 'ai'] }, ['ai']],
    [{ topics: [] }, []],
    [{ topics: 'ai' }, []],
    [{ topics: { 0: 'ai', length: 1 } }, []],
    [{}, []],
    [null, []],
    [undefined, []],
    ['topics', []],
    [['ai'], []],
  ];
  for (const [metadata, topics] of cases) assert.deepEqual(topicsOf(metadata), topics);
});

test('topics are read of stored metadata, and of no others', () => {
  const named = { a: { topics: ['no'] }, s: '"topics":["no"]', topics: ['yes'] };
  assert.deepEqual(topicsOf(topicMetadata(JSON.stringify(named))), ['yes']);
  const { topics: _, ...others } = named;
  assert.deepEqual(topicsOf(topicMetadata(JSON.stringify(others))), []);
  assert.equal(topicMetadata('{"topic":["no"]}'), undefined);
});

test('a topic is named as it is spelled first, by its slug where the spelling does not show', () => {
  const named = (...topics: unknown[]) => namedTopicsOf({ topics }).map(({ name }) => name);
  assert.deepEqual(named('Deep Sea', 'deep-sea', 'DEEP SEA'), ['Deep Sea']);
  assert.deepEqual(named('  Deep \t Sea\n'), ['Deep Sea']);
  assert.deepEqual(named('C++', 'Node.js', '深海', 'Ａ　Ｂ'), ['C++', 'Node.js', '深海', 'Ａ Ｂ']);
  assert.deepEqual(named('deep\u202esea', 'Deep\u200bSea', 'a\0b'), ['deep-sea', 'a-b']);
  assert.deepEqual(named(`${'!'.repeat(50)}Deep Sea`), ['deep-sea']);
  assert.deepEqual(namedTopicsOf({ topics: ['Deep Sea'] }), [
    { slug: 'deep-sea', name: 'Deep Sea' },
  ]);
});
