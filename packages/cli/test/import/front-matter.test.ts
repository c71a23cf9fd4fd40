// Where the front matter of Markdown files ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { articlesIn, read, withFiles } from './folder-files.ts';

test('front matter in YAML ends with hyphens or dots', async () => {
  const text = (end: string) => `---\ntitle: Words\ndate: 2020-01-02\n${end}\nText\n\n...\n`;
  const files = {
    'a.md': text('...'),
    'b.md': text('---'),
    'c.md': text('...  ').replaceAll('\n', '\r\n'),
    'd.md': '---\n...\nText\n\n...\n',
    'e.md': text('...').replace('title:', '....\ntitle:'),
  };
  await withFiles(files, async (folder) => {
    const articles = await articlesIn(folder);
    for (const path of ['a.md', 'b.md', 'c.md']) {
      const { title, status, content } = await read(articles, path);
      assert.deepEqual([title, status, content], ['Words', 'published', 'Text\n\n...'], path);
    }
    assert.equal((await read(articles, 'd.md')).content, 'Text\n\n...');
    const unfit = articles.get('e.md');
    assert.match(typeof unfit === 'string' ? unfit : '', /^Its front matter is not valid YAML: /);
  });
});

test('topics and disclosure are taken as `colophon publish` and `colophon pull` write them', async () => {
  const text = (members: string) => `---\ntitle: Words\ndate: 2020-01-02\n${members}\n---\nText\n`;
  const files = {
    'a.md': text(
      'topics: [river birds, proofs]\ntags: [proofs]\nauthorship_disclosure: ai_assisted',
    ),
    'b.md': text('topics: river birds, proofs'),
    'c.md': text('authorship_disclosure: by hand'),
  };
  await withFiles(files, async (folder) => {
    const articles = await articlesIn(folder);
    const [a, b, c] = await Promise.all(
      ['a.md', 'b.md', 'c.md'].map((path) => read(articles, path)),
    );
    const metadata = { topics: ['river birds', 'proofs'] };
    assert.deepEqual([a?.metadata, a?.disclosure, a?.notes], [metadata, 'ai_assisted', []]);
    assert.deepEqual([b?.metadata, b?.disclosure, b?.notes], [metadata, undefined, []]);
    assert.equal(c?.disclosure, undefined);
    assert.deepEqual(c?.notes, [
      'Its authorship_disclosure (by hand) is none of human_authored, ai_assisted, ai_generated. It is left out.',
    ]);
  });
});
