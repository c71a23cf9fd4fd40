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
