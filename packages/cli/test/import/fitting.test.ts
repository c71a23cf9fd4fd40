// Topics and languages of other programs that the service does not take as they are: taken as far as they fit, and listed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startServer } from '../../../server/test/harness.ts';
import { importInto, openSource } from '../../src/import/index.ts';
import { articlesIn, read, withFiles } from './folder-files.ts';
import { clientOf } from './origin-account.ts';

// Its pipeline would make the variants of every image, each in a process.
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const markdown = (members: string) => `---\ntitle: T\ndate: 2020-01-01\n${members}\n---\nText`;
const twelve = Array.from({ length: 12 }, (_, index) => `topic ${index + 1}`);
const long = 'l'.repeat(51);

const wordpress = (categories: readonly string[]) =>
  `<?xml version="1.0"?><rss xmlns:wp="w" xmlns:content="c"><channel><wp:wxr_version>1.2</wp:wxr_version><link>https://x.example</link><language>xx-not-a-language-at-all</language><item><title>A</title><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>${categories.map((name) => `<category domain="post_tag"><![CDATA[${name}]]></category>`).join('')}<content:encoded>Text</content:encoded></item></channel></rss>`;

const ghost = (tags: readonly string[]) => {
  const rows = tags.map((name, id) => ({ id, name }));
  const posts_tags = rows.map(({ id }) => ({ post_id: 'p', tag_id: id, sort_order: id }));
  const post = { id: 'p', title: 'A', slug: 'a', status: 'published', html: '<p>Text</p>' };
  const settings = [{ key: 'locale', value: 'pt_BR' }];
  return JSON.stringify({ data: { posts: [post], tags: rows, posts_tags, settings } });
};

const tooMany = 'It has more than 10 topics. The others are left out: topic 11, topic 12.';
const oddLength = `Topics that do not have 2 to 50 characters are left out: x, ${long}.`;
const noTag = (language: string) =>
  `Its language (${language}) is not a language tag that the service takes, such as en or pt-BR. The service detects it from the text.`;

test('topics that do not fit are listed, and those that fit are taken', async () => {
  const files = {
    'many/a.md': markdown(`tags: ${JSON.stringify(twelve)}`),
    'odd/a.md': markdown(`tags: [x, fine, ${long}, "", fine]`),
    'wordpress.xml': wordpress(twelve),
    'ghost.json': ghost(['x', ...twelve, long]),
  };
  await withFiles(files, async (folder) => {
    const found = async (path: string, id: string) =>
      read(await articlesIn(join(folder, path)), id);
    const many = await found('many', 'a.md');
    assert.deepEqual(many.metadata['topics'], twelve.slice(0, 10));
    assert.deepEqual(many.notes, [tooMany]);
    const odd = await found('odd', 'a.md');
    assert.deepEqual(odd.metadata['topics'], ['fine']);
    assert.deepEqual(odd.notes, [oddLength]);
    assert.ok((await found('wordpress.xml', '1')).notes.includes(tooMany));
    const { metadata, notes, language } = await found('ghost.json', 'p');
    assert.deepEqual([metadata['topics'], language], [twelve.slice(0, 10), 'pt-BR']);
    assert.deepEqual(notes, [oddLength, tooMany]);
  });
});

test('a language written like a locale is its tag; one that is not a tag is listed', async () => {
  const languages = {
    en_US: 'en-US',
    'zh-Hant-TW': 'zh-Hant-TW',
    'zh-yue': 'zh-yue',
    de: 'de',
    'xx-not-a-language-at-all': undefined,
    'en-a': undefined,
    'English (US)': undefined,
  };
  const files = Object.keys(languages).map(
    (language, index) => [`${index}.md`, markdown(`lang: ${language}`)] as const,
  );
  const all = { ...Object.fromEntries(files), 'wordpress.xml': wordpress([]) };
  await withFiles(all, async (folder) => {
    const articles = await articlesIn(folder);
    for (const [index, [written, tag]] of Object.entries(languages).entries()) {
      const { language, notes } = await read(articles, `${index}.md`);
      assert.equal(language, tag, written);
      assert.deepEqual(notes, tag === undefined ? [noTag(written)] : []);
    }
    const post = await read(await articlesIn(join(folder, 'wordpress.xml')), '1');
    assert.deepEqual(post.notes, [noTag('xx-not-a-language-at-all')]);
  });
});

test('the report of an import names them, and the service takes the article', async () => {
  const files = {
    'a.md': markdown(`lang: en_US\ntags: ${JSON.stringify(twelve)}`),
    'b.md': markdown('lang: en-a'),
    'c.md': markdown('lang: zh-yue'),
  };
  const client = clientOf(server, await server.register());
  await withFiles(files, async (folder) => {
    await using source = await openSource(folder);
    const { counts, items } = await importInto(client, source);
    assert.equal(counts.imported, 3);
    assert.deepEqual(
      items.map(({ notes }) => notes),
      [[tooMany], [noTag('en-a')]],
    );
  });
  const { items } = await client.listArticles({ author: (await client.readMe()).principal.id });
  assert.deepEqual(items.map(({ language }) => language).toSorted(), ['en-US', 'und', 'zh-yue']);
});
