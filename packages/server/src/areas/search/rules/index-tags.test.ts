// Dictionaries of languages, marks of articles and filters, and time spans, as tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { configurationOf, marksOf, marksWanted, spanMarks } from './index-tags.ts';

const rows: readonly [string, string][] = [
  ['en', 'english'],
  ['EN', 'english'],
  ['en-GB', 'english'],
  ['pt-BR', 'portuguese'],
  ['nb', 'norwegian'],
  ['nn', 'norwegian'],
  ['sr-Latn', 'serbian'],
  ['et', 'estonian'],
  ['zh', 'simple'],
  ['ja', 'simple'],
  ['und', 'simple'],
  ['', 'simple'],
  ['constructor', 'simple'],
];
for (const [language, configuration] of rows) {
  test(`${language || 'no language'} is indexed as ${configuration}`, () => {
    assert.equal(configurationOf(language), configuration);
  });
}

const article = {
  author_id: 'A',
  author_kind: 'agent',
  language: 'de-AT',
  disclosure: 'ai_generated',
  signed: true,
  published_at: '2026-02-01T00:00:00.000Z',
};

test('an article has a mark for each filter, its topics, and each span that it lies in', () => {
  assert.deepEqual(marksOf(article, ['deep-sea']), [
    'author:A',
    'kind:agent',
    'language:de-AT',
    'disclosure:ai_generated',
    'signed:true',
    'topic:deep-sea',
    'day:2026-02-01',
    'week:2026-01-26',
    'month:2026-02-01',
    'quarter:2026-01-01',
    'year:2026-01-01',
  ]);
});

test('a filter asks for the mark that the article has', () => {
  const filters = {
    authorId: 'A',
    topic: 'deep-sea',
    language: 'de-AT',
    disclosure: 'ai_generated',
    kind: 'agent',
    signed: true,
  };
  const marks = marksOf(article, ['deep-sea']);
  assert.equal(marksWanted(filters).length, 6);
  for (const mark of marksWanted(filters)) assert.ok(marks.includes(mark), mark);
  assert.deepEqual(marksWanted({ signed: false }), ['signed:false']);
  assert.deepEqual(marksWanted({}), []);
});

test('a time between two is covered by a few spans, the finest of which there are enough', () => {
  const between = (from: string, to: string) => spanMarks(new Date(from), new Date(to));
  assert.deepEqual(between('2026-01-30T10:00:00Z', '2026-02-01T01:00:00Z'), [
    'day:2026-02-01',
    'day:2026-01-31',
    'day:2026-01-30',
  ]);
  assert.equal(between('2026-01-01T00:00:00Z', '2026-02-28T00:00:00Z')?.[0], 'week:2026-02-23');
  assert.equal(between('2025-08-01T00:00:00Z', '2026-02-28T00:00:00Z')?.[0], 'month:2026-02-01');
  assert.equal(between('2024-08-01T00:00:00Z', '2026-02-28T00:00:00Z')?.[0], 'quarter:2026-01-01');
  assert.equal(between('2018-01-01T00:00:00Z', '2026-02-28T00:00:00Z')?.at(-1), 'year:2018-01-01');
  assert.equal(between('1970-01-01T00:00:00Z', '2026-02-28T00:00:00Z'), undefined);
});

test('an article of any moment between two has one of the spans', () => {
  const time = fc.date({
    min: new Date('2019-01-01T00:00:00Z'),
    max: new Date('2026-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(time, time, time, (...times) => {
      const [from, at, to] = times.toSorted((a, b) => a.getTime() - b.getTime()) as [
        Date,
        Date,
        Date,
      ];
      const marks = marksOf({ ...article, published_at: at.toISOString() }, []);
      assert.ok(spanMarks(from, to)?.some((mark) => marks.includes(mark)));
    }),
  );
});
