// Folders of Markdown as articles: sites that Jekyll and Hugo wrote, and an Obsidian vault.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { effort } from '../../../server/test/effort.ts';
import { splitFrontMatter } from '../../src/import/formats/front-matter.ts';
import { openMarkdownFolder } from '../../src/import/formats/markdown-folder.ts';
import { applyEdits, findLinks, linkTo } from '../../src/import/formats/markdown-links.ts';
import { openSource } from '../../src/import/index.ts';
import type { SourceArticle } from '../../src/import/source.ts';
import { articlesIn, read, withFiles } from './folder-files.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

function unfitOf(articles: Map<string, SourceArticle | string>, path: string): string {
  const found = articles.get(path);
  return typeof found === 'string' ? found : '';
}

test('a Jekyll site', async () => {
  const articles = await articlesIn(join(fixtures, 'jekyll'));
  const post = await read(articles, '_posts/2026-11-23-welcome-to-jekyll.markdown');
  assert.equal(post.title, 'Welcome to Jekyll!');
  assert.equal(post.status, 'published');
  assert.equal(post.publishedAt, '2026-11-23T17:38:29.000Z');
  assert.deepEqual(post.metadata, { topics: ['jekyll', 'update'] });
  assert.match(
    post.content,
    /```ruby\ndef print_hi\(name\)\n {2}puts "Hi, #\{name\}"\nend\n[^]*```\n\nCheck out/,
  );
  const page = await read(articles, 'about.markdown');
  assert.deepEqual(page.notes, ['It has no date, and is imported as a draft.']);
  assert.deepEqual(page.metadata, { front_matter: { permalink: '/about/' } });
});

const hugoText = `## A heading

Text with ![an image](https://b.example/content/posts/NAME/rot.png "Title") and [a file](https://b.example/static/files/paper.pdf), \`![code](rot.png)\`.

![Red](https://b.example/content/posts/NAME/rot.png)

*A caption*

\`\`\`go
fmt.Println("hi")
\`\`\`

{{< youtube w7Ft2ymGmfc >}}`;

test('addresses of a Jekyll site lead to its files, with spaces and filters', async () => {
  const body = `![a]({{ site.baseurl }}/img/a.png) ![b]({{ site.url }}{{ site.baseurl }}/img/a.png)
![c]({{ "/img/b c.png" | relative_url }}) ![d]({{ '/img/a.png' | prepend: site.baseurl }})
[e]({{ site.baseurl }}{% post_url 2020-01-02-two %}) <img src="{{ '/img/a.png' | absolute_url }}">

At {{ site.url }}, \`![f]({% raw %}{{ site.baseurl }}{% endraw %}/img/a.png)\`.`;
  const files = {
    '_config.yml': '',
    '_posts/2020-01-01-one.md': body,
    '_posts/2020-01-02-two.md': 'Two',
    'img/a.png': 'a',
    'img/b c.png': 'b',
  };
  await withFiles(files, async (folder) => {
    const found = await read(await articlesIn(folder), '_posts/2020-01-01-one.md');
    assert.deepEqual([...found.linksTo.keys()], ['_posts/2020-01-02-two.md']);
    assert.deepEqual(found.media.map(({ name }) => name).toSorted(), ['img/a.png', 'img/b c.png']);
    const shown = found.content.replaceAll('https://b.example/', '');
    assert.match(
      shown,
      /^!\[a\]\(img\/a\.png\) !\[b\]\(img\/a\.png\)\n!\[c\]\(<?img\/b c\.png>?\)/,
    );
    assert.match(shown, /!\[d\]\(img\/a\.png\)\n.*!\[\]\(img\/a\.png\)/);
    assert.match(
      shown,
      /At \{\{ site\.url \}\}, `!\[f\]\(\{\{ site\.baseurl \}\}\/img\/a\.png\)`\.$/,
    );
  });
});

test('a Hugo site, with front matter in YAML, TOML and JSON', async () => {
  const articles = await articlesIn(join(fixtures, 'hugo'));
  for (const name of ['as-yaml', 'as-toml', 'as-json']) {
    const post = await read(articles, `content/posts/${name}/index.md`);
    assert.equal(post.title, 'As Yaml');
    assert.equal(post.content, hugoText.replaceAll('NAME', name));
    assert.equal(post.publishedAt, '2026-11-23T17:57:55.000Z');
    assert.deepEqual(post.metadata, {
      topics: ['Größe', 'two words', 'Physics'],
      summary: 'An "escaped" summary',
      front_matter: { publishDate: '2015-05-05T05:05:05+02:00' },
    });
    assert.deepEqual(post.notes, [
      'Template tags stay as text: youtube.',
      'Front matter that is not published: params.',
    ]);
  }
  assert.equal((await read(articles, 'content/posts/a-draft.md')).status, 'draft');
});

test('front matter: what readers do not see at the origin is published on request only', async () => {
  const text = `---
title: T
password: hunter2
email: ada@example.org
draft_notes: ask Bob
author: Ada <ada@example.org>
authors: [{ name: Ada, phone: 123 }]
series: Engines
license: CC-BY-4.0
aliases: [/old/]
---
Text`;
  await withFiles({ 'a.md': text }, async (folder) => {
    const plain = await read(await articlesIn(folder), 'a.md');
    const shown = { aliases: ['/old/'], license: 'CC-BY-4.0', series: 'Engines' };
    assert.deepEqual(plain.metadata['front_matter'], shown);
    assert.ok(
      plain.notes.includes(
        'Front matter that is not published: author, authors, draft_notes, email, password.',
      ),
    );
    const whole = await read(await articlesIn(folder, { keepFrontMatter: true }), 'a.md');
    assert.deepEqual(whole.metadata['front_matter'], {
      ...shown,
      password: 'hunter2',
      email: 'ada@example.org',
      draft_notes: 'ask Bob',
      author: 'Ada <ada@example.org>',
      authors: [{ name: 'Ada', phone: 123 }],
    });
    // The same source: the option makes no article a changed one.
    assert.deepEqual(whole.contentHashes, plain.contentHashes);
  });
});

const vault = {
  '.obsidian/app.json': '{}',
  'Notes/Public.md': `---
tags: [one]
aliases: [Other]
publish: true
date: 2020-02-03 04:05
cover: "[[Red.png]]"
---
See [[Secret#Part|the other]], [[Secret]], ![[Red.png|200]] and ![[missing.png]].

%% not for
readers %% Text #two/three, #4 and \`#code [[Secret]] ![[Red.png]]\`. A [link](../files/a%20b.pdf).

> [!note] A callout

==marked== ![alt [x]](<../files/Red.png> "T")
`,
  'Notes/Secret.md': '# A *title* of its own\n\nPrivate.\n',
  'files/Red.png': 'png',
  'files/a b.pdf': 'pdf',
};

test('an Obsidian vault', async () => {
  await withFiles(vault, async (folder) => {
    const articles = await articlesIn(folder);
    assert.equal(articles.size, 2);
    const note = await read(articles, 'Notes/Public.md');
    assert.equal(note.title, 'Public');
    assert.equal(note.status, 'published');
    assert.equal(note.publishedAt, '2020-02-03T04:05:00.000Z');
    assert.equal(note.featured?.name, 'files/Red.png');
    assert.deepEqual(note.metadata['topics'], ['one', 'two/three']);
    assert.deepEqual(note.notes, ['The file missing.png is missing.']);
    assert.equal(
      note.content,
      `See the other, Secret, ![Red.png](https://b.example/files/Red.png) and missing.png.

 Text #two/three, #4 and \`#code [[Secret]] ![[Red.png]]\`. A [link](<https://b.example/files/a b.pdf>).

> [!note] A callout

==marked== ![alt \\[x\\]](https://b.example/files/Red.png "T")`,
    );
    const secret = await read(articles, 'Notes/Secret.md');
    assert.deepEqual(
      [secret.title, secret.content, secret.status],
      ['A title of its own', 'Private.', 'draft'],
    );
  });
});

test('files that do not fit are reported, and the others are imported', async () => {
  const files = {
    'a.md': '---\ntitle: [\n---\n',
    'b.md': '+++\ntitle = \n+++\n',
    'c.md': '---\n- a list\n---\n',
    'd.md':
      '---\na: &a [1]\nb: [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n---\n',
    'e.md':
      '---\r\ntitle: Fine\r\ndate: 2020-01-02\r\n---\r\nText ![x](no.png) <img src="f.png" alt="F">\r\n',
    'f.png': 'png',
    'g/h.md': '{% if x %}',
    'node_modules/i.md': 'no',
    '.git/j.md': 'no',
  };
  await withFiles(files, async (folder) => {
    const articles = await articlesIn(folder);
    assert.deepEqual([...articles.keys()], ['a.md', 'b.md', 'c.md', 'd.md', 'e.md', 'g/h.md']);
    assert.match(unfitOf(articles, 'a.md'), /^Its front matter is not valid YAML: /);
    assert.match(unfitOf(articles, 'b.md'), /^Its front matter is not valid TOML: /);
    assert.match(unfitOf(articles, 'c.md'), /not a list of members/);
    assert.match(unfitOf(articles, 'd.md'), /not valid YAML: Excessive alias count/);
    const fine = await read(articles, 'e.md');
    assert.equal(fine.content, 'Text ![x](no.png) ![F](https://b.example/f.png)');
    assert.deepEqual(fine.notes, ['The file no.png is missing. Its link stays.']);
    assert.equal(fine.publishedAt, '2020-01-02T00:00:00.000Z');
    assert.equal((await read(articles, 'g/h.md')).content, '{% if x %}');
  });
});

test('a folder without Markdown files, and a file of another kind, are refused', async () => {
  await withFiles({ 'a.txt': 'text' }, async (folder) => {
    await assert.rejects(openMarkdownFolder(folder), /contains no Markdown files/);
    await assert.rejects(
      openSource(join(folder, 'a.txt')),
      /not an export that this program can read/,
    );
    await assert.rejects(openSource(join(folder, 'b')), /There is no file or folder/);
  });
});

const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '![a](b.png)',
    '[a *b*](c.pdf "t")',
    '[r]: d.png',
    '`![x](y)`',
    '> q',
    '- i',
    '```',
    '# h',
    '[![a](b.png)](c)',
  ),
);
const markdown = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

test('replaced addresses are found again, and everything else stays', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const { links } = findLinks(text);
      const to = 'https://b.example/media/x';
      const edits = links.map((link) => ({
        start: link.start,
        end: link.end,
        text: linkTo(link, to),
      }));
      const again = findLinks(applyEdits(text, edits)).links;
      assert.deepEqual(
        again.map(({ url }) => url),
        links.map(() => to),
      );
      assert.equal(applyEdits(text, []), text);
    }),
    { numRuns: effort(300, 20_000) },
  );
});

test('front matter never swallows a text, and never throws anything but a refusal', () => {
  const text = fc.tuple(
    fc.constantFrom('', '---\n', '+++\n', '{'),
    markdown,
    fc.constantFrom('', '\n---\n', '\n...\n', '\n+++\n', '}'),
    markdown,
  );
  fc.assert(
    fc.property(text, ([open, inside, close, rest]) => {
      try {
        const { body } = splitFrontMatter(open + inside + close + rest);
        assert.ok((open + inside + close + rest).replaceAll('\r\n', '\n').endsWith(body));
      } catch (error) {
        assert.equal((error as Error).name, 'ImportRefused', String(error));
      }
    }),
    { numRuns: effort(300, 20_000) },
  );
});
