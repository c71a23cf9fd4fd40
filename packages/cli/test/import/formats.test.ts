// Exports that WordPress and Ghost wrote, as articles and in a real service.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { startServer } from '../../../server/test/harness.ts';
import { importInto, openSource } from '../../src/import/index.ts';
import { isRefusal } from '../../src/import/source.ts';
import { openGhost } from '../../src/import/formats/ghost.ts';
import { fileMedia } from '../../src/import/formats/media-files.ts';
import { openWordpress } from '../../src/import/formats/wordpress.ts';
import type { Source, SourceArticle, Unfit } from '../../src/import/source.ts';
import { allArticles } from './compare.ts';
import { ghostCards, ghostMobiledoc, wordpressBlocks, wordpressClassic } from './expected-texts.ts';
import { clientOf } from './origin-account.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const wordpress = () =>
  openWordpress(join(fixtures, 'wordpress/wordpress.xml'), {
    folder: join(fixtures, 'wordpress/uploads'),
  });
const ghost = () =>
  openGhost(join(fixtures, 'ghost/ghost.json'), { folder: join(fixtures, 'ghost/content') });

// Its pipeline would make the variants of every image, each in a process.
const server = await startServer({ ROLE: 'web' });
const folder = await mkdtemp(join(tmpdir(), 'colophon-formats-'));
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function articlesOf(opened: Promise<Source>): Promise<readonly (SourceArticle | Unfit)[]> {
  await using source = await opened;
  const articles: (SourceArticle | Unfit)[] = [];
  for await (const article of source.articles()) articles.push(article);
  assert.equal(articles.length, source.articleCount);
  return articles;
}

async function markdownOf(
  articles: readonly (SourceArticle | Unfit)[],
  title: string,
): Promise<string> {
  const article = articles.find((each) => each.title === title);
  assert.ok(article && !('unfit' in article), title);
  const [revision] = await article.revisions(({ name }) => `https://b.example/${name}`);
  return revision?.content ?? '';
}

/** What happens to each article, on a line. */
function summary(article: SourceArticle | Unfit): string {
  if ('unfit' in article) return `${article.title}: ${article.unfit}`;
  const { title, publications, visibility, publishedAt, notes } = article;
  const status = publications.length > 0 ? 'published' : 'draft';
  return [title, status, visibility, publishedAt ?? '-', ...notes].join(' | ');
}

test('a WordPress export becomes articles', async () => {
  const articles = await articlesOf(wordpress());
  assert.deepEqual(articles.map(summary), [
    'Gutenberg & “blocks” here | published | public | 2009-02-28T22:30:00.000Z',
    'Classic | published | public | 1999-12-31T22:59:59.000Z',
    'A draft without a title. | draft | public | - | It has no title: its first words are used.',
    'Private thoughts | published | private | 2020-06-01T10:00:00.000Z',
    'With a password | published | private | 2020-06-02T10:00:00.000Z | It was protected by a password, and is imported as private.',
    'In the future | draft | public | 2089-12-31T23:00:00.000Z | It was scheduled for 2089-12-31T23:00:00.000Z, and is imported as a draft.',
    'About | published | public | 2010-01-01T09:00:00.000Z',
    'In the bin: Its status at WordPress is trash.',
  ]);
  assert.equal(await markdownOf(articles, 'Gutenberg & “blocks” here'), wordpressBlocks);
  assert.equal(await markdownOf(articles, 'Classic'), wordpressClassic);
  await using source = await wordpress();
  assert.deepEqual(source.leftOut, ['Comments (2) are not imported.']);
});

test('without the uploads of WordPress, links stay and are reported', async () => {
  await using source = await openWordpress(join(fixtures, 'wordpress/wordpress.xml'));
  assert.match(source.leftOut.join(' '), /The files of 1 attachments were not given/);
  const articles = await articlesOf(openWordpress(join(fixtures, 'wordpress/wordpress.xml')));
  const text = await markdownOf(articles, 'Classic');
  assert.match(text, /!\[thumb\]\(https:\/\/blog\.example\.org\/wp-content\/uploads\/2019/);
});

test('a Ghost export becomes articles', async () => {
  const articles = await articlesOf(ghost());
  assert.deepEqual(articles.map(summary), [
    'Lexical & “cards” | published | public | 2009-02-28T22:30:00.000Z',
    'From HTML | published | public | 1999-12-31T23:59:59.000Z',
    'A draft without a title. | draft | public | - | It has no title: its first words are used.',
    'For members | published | private | 2020-06-01T10:00:00.000Z | Only members could read it. It is imported as private.',
    'In the future | draft | public | 2090-01-01T00:00:00.000Z | It was scheduled for 2090-01-01T00:00:00.000Z, and is imported as a draft.',
    'Mobiledoc | published | public | 2015-05-05T05:05:05.000Z',
    'About | published | public | 2010-01-01T09:00:00.000Z',
  ]);
  assert.equal(await markdownOf(articles, 'Lexical & “cards”'), ghostCards);
  assert.equal(await markdownOf(articles, 'Mobiledoc'), ghostMobiledoc);
});

test('both are imported into a service once, with their files, times and topics', async () => {
  const client = clientOf(server, await server.register());
  for (const [open, count] of [
    [wordpress, 7],
    [ghost, 7],
  ] as const) {
    for (const [imported, present] of [
      [count, 0],
      [0, count],
    ]) {
      await using source = await open();
      const { counts, stopped } = await importInto(client, source);
      assert.equal(stopped, null);
      assert.deepEqual([counts.imported, counts.present], [imported, present]);
    }
  }
  const articles = await allArticles(client);
  assert.equal(articles.length, 14);
  const [first] = articles;
  assert.deepEqual(first?.topics, ['größe', 'two-words', 'physics-chemistry']);
  assert.equal(first.published_at, '2009-02-28T22:30:00.000Z');
  assert.equal(first.language, 'en-US');
  assert.ok(first.featured_media_id);
  assert.match(
    (await client.readArticle({ id: first.id })).content,
    new RegExp(`!\\[A red picture\\]\\(${server.baseUrl}/media/${first.featured_media_id}\\)`),
  );
  const { origin, ...metadata } = first.metadata as Record<string, Record<string, unknown>>;
  assert.equal(metadata['byline'], 'ada');
  assert.equal(origin?.['url'], 'https://blog.example.org/?p=5');
});

const wxr = (inside: string, before = ''): string =>
  `<?xml version="1.0"?>${before}<rss xmlns:wp="w" xmlns:content="c"><channel><wp:wxr_version>1.2</wp:wxr_version><link>https://x.example</link>${inside}</channel></rss>`;

const commented =
  '<!-- secret -->\n\nShown <!-- secret\n\nsecret --> text.\n\n```html\n<!-- code -->\n```\n';
const commentedHtml =
  '<p>Shown <!-- secret --> text.</p><!-- secret --><pre>&lt;!-- code --&gt;</pre><!-- secret';
const post = `---\ndate: 2020-01-01\npublish: true\n---\n${commented}`;
const sources: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plain: { 'a.md': post },
  jekyll: { '_config.yml': '', 'a.md': post },
  hugo: { 'hugo.toml': '', 'content/a.md': post },
  obsidian: { '.obsidian/app.json': '{}', 'a.md': post },
  'wordpress.xml': {
    '': wxr(
      `<item><title>A</title><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><content:encoded><![CDATA[${commentedHtml}]]></content:encoded></item>`,
    ),
  },
  'ghost.json': {
    '': JSON.stringify({
      data: { posts: [{ id: '1', title: 'A', html: commentedHtml, status: 'published' }] },
    }),
  },
};

test('comments of HTML do not reach the service, from any source', async () => {
  for (const [name, files] of Object.entries(sources)) {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, name, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    const client = clientOf(server, await server.register());
    await using source = await openSource(join(folder, name));
    const { counts } = await importInto(client, source);
    assert.equal(counts.imported, 1, name);
    const [article] = await allArticles(client);
    const whole = await client.readArticle({ id: article?.id ?? '' });
    assert.match(whole.content, /Shown {1,2}text\.[^]*```[^]*<!-- code -->\n```/, name);
    assert.doesNotMatch(JSON.stringify(whole), /secret/, name);
  }
});

for (const [name, text, message] of [
  [
    'a bomb of entities',
    wxr('<title>&a;</title>', '<!DOCTYPE x [<!ENTITY a "aaaa">]>'),
    /declares a document type/,
  ],
  [
    'an entity that reads a file',
    wxr('', '<!DOCTYPE x SYSTEM "file:///etc/passwd">'),
    /declares a document type/,
  ],
  [
    'an unknown entity',
    wxr('<title>&a;</title>'),
    /not well-formed XML \(line 1\): Invalid character entity/,
  ],
  ['XML that ends early', wxr('').slice(0, -20), /not well-formed XML/],
  [
    'XML of another program',
    '<rss><channel><link>x</link></channel></rss>',
    /not a WordPress export.*A feed \(Atom or RSS\) cannot be imported.*choose Tools, Export, All content/,
  ],
  [
    'an Atom feed',
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><title>y</title></entry></feed>',
    /A feed \(Atom or RSS\) cannot be imported.*Ghost \(JSON\) and a folder of Markdown/,
  ],
  ['deep XML', wxr('<a>'.repeat(100)), /nested too deeply/],
  ['no XML', 'hello', /not well-formed XML/],
] as const) {
  test(`refused as WordPress: ${name}`, async () => {
    const file = join(folder, 'wxr.xml');
    await writeFile(file, text);
    await assert.rejects(openWordpress(file), (error: Error) => {
      assert.ok(isRefusal(error), String(error.stack));
      assert.match(error.message, message);
      return true;
    });
  });
}

test('refused as Ghost: JSON of another program', async () => {
  const file = join(folder, 'ghost.json');
  for (const [text, message] of [
    ['[]', /not a Ghost export/],
    ['{', /is not JSON/],
  ] as const) {
    await writeFile(file, text);
    await assert.rejects(openGhost(file), message);
  }
});

test('HTML that is nested deeply is reported, and the others are imported', async () => {
  const file = join(folder, 'deep.json');
  const posts = ['<div>'.repeat(5_000), '<p>Fine</p>'].map((html, id) => ({
    uuid: `${id}`,
    title: `${id}`,
    html,
    status: 'draft',
  }));
  await writeFile(file, JSON.stringify({ db: [{ data: { posts } }] }));
  const articles = await articlesOf(openGhost(file));
  assert.equal(articles.length, 2);
  assert.equal(await markdownOf(articles, '1'), 'Fine\n');
});

test('a file is read inside its folder only, also through links', async () => {
  await symlink('/etc', join(folder, 'link'));
  await writeFile(join(folder, 'a.png'), 'x');
  assert.equal((await fileMedia(folder, 'a.png'))?.size, 1);
  for (const path of ['link/hostname', '../x.png', 'missing.png', '/etc/hostname', '.'])
    assert.equal(await fileMedia(folder, path), undefined, path);
});
