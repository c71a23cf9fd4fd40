// Texts that are made to be slow end their parser thread, are reported, and delay no other text.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from '../../src/import/parsing/parser.ts';
import { openSource } from '../../src/import/index.ts';
import { articlesIn, read, withFiles } from './folder-files.ts';

/** Processor time: the hostile texts take at least ten times as long, the others a tenth. */
const parseMs = 1_000;
const unfit = 'It is too complex: reading it takes too long.';
const hostile = ']'.repeat(128 * 1024);

test('a folder with a text that would take minutes: it is reported, the others are imported', async () => {
  const files = { 'a.md': 'Before.', 'b.md': hostile, 'c.md': '# After\n\nIts text.' };
  await withFiles(files, async (folder) => {
    const articles = await articlesIn(folder, { parseMs });
    assert.equal(articles.get('b.md'), unfit);
    assert.equal((await read(articles, 'a.md')).content, 'Before.');
    assert.equal((await read(articles, 'c.md')).title, 'After');
  });
});

test('an export with HTML that would take minutes: it is reported, the others are imported', async () => {
  const html = '<a href=x>'.repeat(8_000);
  const posts = [html, '<p>Fine</p>'].map((each, id) => ({
    uuid: `${id}`,
    title: `${id}`,
    html: each,
  }));
  await withFiles({ 'a.txt': '' }, async (folder) => {
    const file = join(folder, 'ghost.json');
    await writeFile(file, JSON.stringify({ db: [{ data: { posts } }] }));
    await using source = await openSource(file, { parseMs });
    const articles = await Array.fromAsync(source.articles());
    assert.deepEqual(
      articles.map((article) => ('unfit' in article ? article.unfit : article.title)),
      [unfit, '1'],
    );
  });
});

test('texts that are parsed at once take turns, and a refused one ends nothing', async () => {
  const texts = ['one', '---\n[\n---\n', 'two'];
  const results = await Promise.allSettled(
    texts.map((text) => parse('readMarkdown', { text, kind: 'plain' })),
  );
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value.body : 'refused')),
    ['one', 'refused', 'two'],
  );
});
