// What only its author sees stays private: comments, drafts and scheduled texts.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutComments } from '../../src/import/formats/comments.ts';
import { withoutTemplates } from '../../src/import/formats/dialects.ts';
import { articlesIn, read, withFiles } from './folder-files.ts';

const privateNote = `---
publish: true
date: 2020-02-03
---
%% ask Bob, see [draft](x.md), \`code\`, <b>tag</b> and ![[private.png]] #hidden %%Shown #shown.

\`\`\`mermaid
%% diagram
\`\`\`

> ~~~
> %% quoted

%% secret one %%Between \`%%\` and a stray \` here.

- %% secret two \` %%item

Rest.

%% never closed

secret three ![](private.png)
`;

test('comments of Obsidian stay private, whatever they contain', async () => {
  const files = {
    '.obsidian/app.json': '{}',
    'a.md': privateNote,
    'b.md': '%%\n# Hidden\n%%\n# Shown\n\nText',
    'private.png': 'png',
  };
  await withFiles(files, async (folder) => {
    const articles = await articlesIn(folder);
    const note = await read(articles, 'a.md');
    assert.equal(
      note.content,
      `Shown #shown.

\`\`\`mermaid
%% diagram
\`\`\`

> ~~~
> %% quoted

Between \`%%\` and a stray \` here.

- item

Rest.`,
    );
    assert.deepEqual(note.metadata['topics'], ['shown']);
    assert.deepEqual(note.media, []);
    assert.deepEqual(note.notes, ['A comment (%%) has no end. The text after it is left out.']);
    assert.equal((await read(articles, 'b.md')).title, 'Shown');
  });
});

/** Texts by what is left of them. */
const withComments: Readonly<Record<string, string>> = {
  'a <!-- secret --> b': 'a  b',
  '<!-- secret\n\n- secret\n-->\n# Shown': '\n# Shown',
  '<!-- secret -->b<!-- secret -->': 'b',
  '<!--> a <!---> b <!----> c': ' a  b  c',
  '- item\n\n    <!-- secret -->\n': '- item\n\n    \n',
  '<div>\n\n    <!-- secret --> b': '<div>\n\n     b',
  '> <!-- secret\n> secret --> b': '>  b',
  '<!-- ` --> a <!-- secret ` -->': ' a ',
  'a\n\n    ```\n\nb <!-- secret -->\n\n```\ncode\n```': 'a\n\n    ```\n\nb \n\n```\ncode\n```',
  // Code, and text.
  '`<!-- a -->` ``<!-- ` -->``': '`<!-- a -->` ``<!-- ` -->``',
  '```html\n<!-- a -->\n```': '```html\n<!-- a -->\n```',
  'a\n\n    <!-- b -->\n\n    c': 'a\n\n    <!-- b -->\n\n    c',
  '\t<!-- a -->': '\t<!-- a -->',
  '\\<!-- a -->': '\\<!-- a -->',
  'a <!-- b': 'a <!-- b',
};

test('comments of HTML are removed outside code', () => {
  for (const [text, shown] of Object.entries(withComments))
    for (const isObsidian of [false, true])
      assert.deepEqual(withoutComments(text, isObsidian), { text: shown, cutBy: undefined }, text);
  const cut = { text: 'a\n\n> ', cutBy: '<!--' };
  assert.deepEqual(withoutComments('a\n\n> <!-- secret\n\nb', false), cut);
  assert.equal(withoutComments('%% <!-- %% a <!-- %% --> b', true).text, ' a  b');
  assert.equal(withoutComments('100 %% a', false).text, '100 %% a');
});

test('comments of Jekyll and Hugo stay private; in a raw part they are text', () => {
  for (const [text, shown] of [
    ['a {% comment %} secret {% highlight x %} {% endcomment %} b', 'a  b'],
    ['{%- comment -%}secret{%- endcomment -%}{% # secret %}b', 'b'],
    ['{% raw %}{% comment %} b {% endcomment %}{% endraw %}', '{% comment %} b {% endcomment %}'],
    ['a {{< comment >}} secret {{< /comment >}} b', 'a  b'],
    ['{{% comment %}} secret {{% /comment %}}b', 'b'],
    ['{% highlight html %}\n<!-- a -->\n  {% endhighlight %}', '```html\n<!-- a -->\n```'],
  ] as const)
    assert.equal(withoutTemplates(text), shown);
});

test('drafts, scheduled and expired texts of a site stay drafts', async () => {
  const past = 'date: 2020-01-01';
  const drafts = [
    `published: no\n${past}`,
    `published: "False"\n${past}`,
    `draft: yes\n${past}`,
    `draft: "true"\n${past}`,
    `draft: soon\n${past}`,
    `${past}\npublishDate: 2999-01-01`,
    `date: 2999-01-01\npublishDate: 2020-01-01`,
    `${past}\nexpiryDate: 2021-01-01`,
  ];
  const published = [past, `draft: no\n${past}`, `published: "yes"`, `draft:\n${past}`];
  const named = (texts: readonly string[], name: string) =>
    texts.map((text, index) => [`content/${name}${index}.md`, `---\n${text}\n---\nText`] as const);
  const files = {
    'hugo.toml': '',
    'content/a/_drafts/x.md': `---\n${past}\n---\nText`,
    ...Object.fromEntries([...named(drafts, 'draft'), ...named(published, 'published')]),
  };
  await withFiles(files, async (folder) => {
    const articles = await articlesIn(folder);
    assert.equal((await read(articles, 'content/a/_drafts/x.md')).status, 'draft');
    for (const [index, text] of drafts.entries())
      assert.equal((await read(articles, `content/draft${index}.md`)).status, 'draft', text);
    for (const [index, text] of published.entries())
      assert.equal(
        (await read(articles, `content/published${index}.md`)).status,
        'published',
        text,
      );
    const notes = async (index: number) => (await read(articles, `content/draft${index}.md`)).notes;
    const scheduled = 'It was scheduled for 2999-01-01T00:00:00.000Z, and is imported as a draft.';
    assert.deepEqual(await notes(5), [scheduled]);
    assert.deepEqual(await notes(6), [scheduled]);
    assert.deepEqual(await notes(7), [
      'It expired on 2021-01-01T00:00:00.000Z, and is imported as a draft.',
    ]);
  });
});

test('front matter that limits the readers limits them here, in every spelling', async () => {
  const past = 'date: 2020-01-01';
  const expected: Readonly<Record<string, string>> = {
    [past]: 'published public',
    [`${past}\nvisibility: Public\nprivate: no\nstatus: evergreen`]: 'published public',
    // As `colophon pull` and an export write it.
    'published_at: 2020-01-01\nstatus: published\nvisibility: private': 'published private',
    'published_at: 2020-01-01\nstatus: hidden\nvisibility: public': 'draft public',
    [`${past}\nvisibility: unlisted`]: 'published unlisted',
    [`${past}\nvisibility: members`]: 'published private',
    [`${past}\nvisibility: [public, friends]`]: 'published private',
    [`${past}\nprivate: true`]: 'published private',
    [`${past}\nunlisted: true`]: 'published unlisted',
    [`${past}\nstatus: Private`]: 'published private',
    [`${past}\nstatus: draft`]: 'draft public',
    [`${past}\nDraft: true`]: 'draft public',
    [`${past}\npublishdate: 2999-01-01`]: 'draft public',
    [`${past}\npublished: 2999-01-01`]: 'draft public',
    [`${past}\nexpirydate: 2021-01-01`]: 'draft public',
    [`${past}\nunpublishDate: 2021-01-01`]: 'draft public',
  };
  const texts = Object.keys(expected);
  for (const config of ['hugo.yml', '_config.toml', 'none.txt']) {
    const posts = texts.map((text, index) => [`${index}.md`, `---\n${text}\n---\nText`] as const);
    await withFiles({ [config]: '', ...Object.fromEntries(posts) }, async (folder) => {
      const articles = await articlesIn(folder);
      for (const [index, text] of texts.entries()) {
        const { status, visibility } = await read(articles, `${index}.md`);
        assert.equal(`${status} ${visibility}`, expected[text], `${config}: ${text}`);
      }
    });
  }
});

test('every configuration file of Hugo makes a folder its site, and names are read in any case', async () => {
  const text =
    '---\nTitle: Words\nDate: 2020-01-01\nTags: [one, two]\n---\nA {{< comment >}}secret{{< /comment >}}b';
  for (const config of ['hugo.yml', 'hugo.json', 'config.yml', 'config/_default/hugo.toml'])
    await withFiles({ [config]: '', 'content/a.md': text }, async (folder) => {
      const found = await read(await articlesIn(folder), 'content/a.md');
      assert.deepEqual([found.title, found.status, found.content], ['Words', 'published', 'A b']);
      assert.deepEqual(found.metadata['topics'], ['one', 'two']);
    });
});

test('a date that cannot be read is named', async () => {
  await withFiles(
    { '_posts/2020-01-03-a.md': '---\ndate: Jan 3, 2020\n---\nText' },
    async (folder) => {
      const { status, notes } = await read(await articlesIn(folder), '_posts/2020-01-03-a.md');
      assert.equal(status, 'draft');
      assert.match(
        notes.join(' '),
        /^Its date \(Jan 3, 2020\) is not one that can be read.*2027-01-31/,
      );
    },
  );
});

test('a post that was scheduled at WordPress or Ghost is a draft, even when its time has passed', async () => {
  const item =
    '<item><title>A</title><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type><wp:status>future</wp:status><wp:post_date_gmt>2020-01-01 00:00:00</wp:post_date_gmt><content:encoded>Text</content:encoded></item>';
  const posts = [
    { id: '1', title: 'A', html: 'Text', status: 'scheduled', published_at: '2020-01-01 00:00:00' },
    { id: '2', title: 'B', html: 'Text', status: 'draft', created_at: 9e15 },
  ];
  const files = {
    'a.xml': `<?xml version="1.0"?><rss xmlns:wp="w" xmlns:content="c"><channel><wp:wxr_version>1.2</wp:wxr_version><link>https://x.example</link>${item}</channel></rss>`,
    'b.json': JSON.stringify({ db: [{ data: { posts } }] }),
  };
  await withFiles(files, async (folder) => {
    for (const [name, id] of [
      ['a.xml', '1'],
      ['b.json', '1'],
    ] as const) {
      const { status, notes } = await read(await articlesIn(join(folder, name)), id);
      assert.equal(status, 'draft');
      assert.deepEqual(notes, [
        'It was scheduled for 2020-01-01T00:00:00.000Z, and is imported as a draft.',
      ]);
    }
    // A time that no calendar has is left out.
    assert.equal((await read(await articlesIn(join(folder, 'b.json')), '2')).title, 'B');
  });
});
