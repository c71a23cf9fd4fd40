// Exports of Ghost whose posts have parts for members, odd addresses, or the tables of early versions.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startServer } from '../../../server/test/harness.ts';
import { importInto, openSource } from '../../src/import/index.ts';
import { clientOf } from './origin-account.ts';
import { articlesIn, read, withFiles } from './folder-files.ts';

// Its pipeline would make the variants of every image, each in a process.
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const post = (id: string, more: object) => ({
  id,
  title: id,
  slug: id,
  status: 'published',
  visibility: 'public',
  published_at: '2021-01-01T10:00:00.000Z',
  html: '<p>Text</p>',
  ...more,
});

const ghostExport = (data: object) => ({ 'ghost.json': JSON.stringify({ db: [{ data }] }) });

const block = (readers: string, text: string) =>
  `<!--kg-gated-block:begin ${readers} --><p>${text}</p><!--kg-gated-block:end-->`;
const members = 'nonMember:false memberSegment:"status:free,status:-free"';

test('blocks for members are left out of a public post of Ghost, and listed', async () => {
  const html = `<p>First.</p>\n${block(members, 'secret one')}\n<p>Second.</p>${block('nonMember:true memberSegment:""', 'For guests.')}${block('memberSegment:"status:-free"', 'secret two')}<pre>&lt;!--kg-gated-block:begin x --&gt;</pre>`;
  const posts = [
    post('a', { html }),
    post('b', { html, visibility: 'paid' }),
    post('c', { html: block(members, 'secret three'), title: '' }),
    post('d', { html: `<p>Shown.</p>${block(members, 'secret four')}`, status: 'draft' }),
  ];
  await withFiles(ghostExport({ posts }), async (folder) => {
    const articles = await articlesIn(join(folder, 'ghost.json'));
    const shown = await read(articles, 'a');
    assert.equal(
      shown.content,
      'First.\n\nSecond.\n\nFor guests.\n\n```\n<!--kg-gated-block:begin x -->\n```\n',
    );
    assert.deepEqual(shown.notes, ['Blocks that only members could read are left out.']);
    // Only its author reads a private article.
    const paid = await read(articles, 'b');
    assert.equal(paid.visibility, 'private');
    assert.match(paid.content, /secret one[^]*For guests[^]*secret two/);
    const everything = [await read(articles, 'c'), await read(articles, 'd')];
    for (const { title, content } of everything) assert.doesNotMatch(title + content, /secret/);
  });
});

test('a canonical address that the service refuses is left out and listed; the article is imported', async () => {
  const addresses = {
    a: '__GHOST_URL__/other/',
    b: '/relative/',
    c: `https://x.example/${'y'.repeat(3000)}`,
    d: 'https://user:secret@x.example/',
    e: 'https://bücher.example/größe ?q=ü',
    f: 'https://x.example/a?b=c#d',
  };
  const posts = Object.entries(addresses).map(([id, canonical_url]) => post(id, { canonical_url }));
  const client = clientOf(server, await server.register());
  await withFiles(ghostExport({ posts }), async (folder) => {
    await using source = await openSource(join(folder, 'ghost.json'));
    const { counts, items } = await importInto(client, source);
    assert.equal(counts.imported, posts.length);
    assert.deepEqual(
      items.map(({ title }) => title),
      ['a', 'b', 'c', 'd'],
    );
    for (const { notes } of items) assert.match(notes.join(), /^Its canonical address .+ left out/);
  });
  const { items } = await client.listArticles({ author: (await client.readMe()).principal.id });
  assert.deepEqual(Object.fromEntries(items.map((each) => [each.title, each.canonical_url])), {
    a: null,
    b: null,
    c: null,
    d: null,
    e: 'https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe%20?q=%C3%BC',
    f: addresses.f,
  });
});

test('tables of early versions of Ghost, whose ids are numbers', async () => {
  const data = {
    posts: [1, 2].map((id) => post('', { id, uuid: `u${id}`, title: `T${id}`, author_id: id })),
    tags: [1, 2].map((id) => ({ id, name: `tag ${id}` })),
    posts_tags: [1, 2].map((id) => ({ post_id: id, tag_id: id })),
    users: [1, 2].map((id) => ({ id, name: `User ${id}` })),
  };
  await withFiles(ghostExport(data), async (folder) => {
    const articles = await articlesIn(join(folder, 'ghost.json'));
    for (const id of [1, 2]) {
      const { metadata } = await read(articles, `u${id}`);
      assert.deepEqual([metadata['topics'], metadata['byline']], [[`tag ${id}`], `User ${id}`]);
    }
  });
});

test('an image at another host is none of the site, unless the export marks no address as its own', async () => {
  const path = '/content/images/2020/02/photo.png';
  const foreign = `https://cdn.other.example${path}`;
  const image = (address: string) => `<p><img src="${address}"></p>`;
  const own = image(`__GHOST_URL__${path}`) + image(path);
  const imagesOf = async (html: string) => {
    const posts = [post('a', { html, feature_image: foreign })];
    const files = { ...ghostExport({ posts }), 'content/images/2020/02/photo.png': 'photo' };
    let found: readonly string[] = [];
    await withFiles(files, async (folder) => {
      const media = join(folder, 'content');
      const article = await read(await articlesIn(join(folder, 'ghost.json'), { media }), 'a');
      assert.deepEqual(article.notes, []);
      const featured = article.featured === undefined ? 'none' : 'own';
      found = [...article.content.trim().split('\n\n'), featured];
    });
    return found;
  };
  const taken = '![](https://b.example/images/2020/02/photo.png)';
  assert.deepEqual(await imagesOf(own + image(foreign)), [taken, taken, `![](${foreign})`, 'none']);
  assert.deepEqual(await imagesOf(image(path) + image(foreign)), [taken, taken, 'own']);
});
