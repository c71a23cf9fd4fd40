// Links between the articles of an import lead to the imported articles, whatever wrote them.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createSecretKey, publishSigned, registerSigningKey, signerOf } from '@colophon/sdk';
import type { Client } from '@colophon/sdk';
import { effort } from '../../../server/test/effort.ts';
import { forgetKeys } from '../../../server/test/forgotten-keys.ts';
import { startServer } from '../../../server/test/harness.ts';
import { importInto, openSource } from '../../src/import/index.ts';
import type { ImportOptions } from '../../src/import/index.ts';
import { allArticles, assertSameArticles } from './compare.ts';
import { downloadExport, mortal } from './exported.ts';
import { withFiles } from './folder-files.ts';
import { anAgent, clientOf } from './origin-account.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const server = await startServer();
const folder = await mkdtemp(join(tmpdir(), 'colophon-links-'));
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function run(client: Client, path: string, options: ImportOptions = {}) {
  await using source = await openSource(path);
  return await importInto(client, source, options);
}

/** The articles of an account by title, with what others link to. */
async function stateOf(client: Client) {
  const { username } = (await client.readMe()).principal;
  const state = new Map<string, { address: string; content: string; status: string }>();
  for (const { id, title, status, revision_id } of await allArticles(client)) {
    const { content } = await client.readRevision({ id, revision_id });
    state.set(title, { address: `${server.baseUrl}/@${username}/${id}`, content, status });
  }
  return (title: string) => {
    const found = state.get(title);
    assert.ok(found, `${title} is not among ${[...state.keys()].join(', ')}`);
    return found;
  };
}

/** Imports a path twice, with forgotten keys in between; the second import changes nothing. */
async function importedFrom(path: string) {
  const client = clientOf(server, await server.register());
  const report = await run(client, path);
  const before = await allArticles(client);
  await forgetKeys(server);
  const again = await run(client, path);
  assert.deepEqual([again.counts.imported, again.counts.unfinished], [0, 0]);
  assert.deepEqual(await allArticles(client), before);
  return { article: await stateOf(client), notes: report.items.flatMap(({ notes }) => notes) };
}

const day = '---\ndate: 2020-01-01\n---\n';
const pages = {
  'a.md': `${day}# A\n\n[b](sub/b.md#part), [a](a.md "self"), [r], \`[b](sub/b.md)\`, [x](gone.md), [d](draft)\n\n[r]: sub/b\n`,
  'sub/b.md': `${day}# B\n\nBack to [a](../a.md) and [c](../c/)\n`,
  'c/index.md': `${day}# C\n\nNo link.\n`,
  'draft.md': '# Draft\n\n[a](a.md)\n',
};

test('a folder of Markdown: links forward, back, to the same file and by the address of a page', async () => {
  await withFiles(pages, async (path) => {
    const { article, notes } = await importedFrom(path);
    const [a, b, c] = ['A', 'B', 'C'].map((title) => article(title).address);
    assert.equal(
      article('A').content,
      `[b](${b}#part), [a](${a} "self"), [r], \`[b](sub/b.md)\`, [x](gone.md), [d](draft)\n\n[r]: ${b}`,
    );
    assert.equal(article('B').content, `Back to [a](${a}) and [c](${c})`);
    assert.equal(article('Draft').content, `[a](${a})`);
    const left = 'draft is not linked: what it leads to is not imported, or not shown to readers.';
    assert.ok(notes.includes(left), notes.join('\n'));
    assert.equal((await fetch(b ?? '')).status, 200);
  });
});

test('an import with links that dies after any request is completed by the next one', async () => {
  await withFiles(pages, async (path) => {
    const whole = mortal(server, (await server.register()).token, Infinity);
    await run(whole.client, path);
    const total = whole.seen();
    const step = effort(4, 1);
    for (let answers = 9; answers < total; answers += step) {
      const human = await server.register();
      const client = clientOf(server, human);
      const dying = mortal(server, human.token, answers).client;
      const { stopped, counts, items } = await run(dying, path, { patience: 0 });
      assert.match(stopped?.reason ?? '', /it continues where it stopped/, `after ${answers}`);
      assert.equal(
        items.filter(({ outcome }) => outcome === 'unfinished').length,
        counts.unfinished,
      );
      for (const { status, content } of await publishedOf(client))
        assert.doesNotMatch(content, /\]\(sub\/b\.md#|\.\.\/a\.md/, status);
      if (answers % 2 === 0) await forgetKeys(server);
      await run(client, path);
      const article = await stateOf(client);
      assert.equal((await allArticles(client)).length, 4, `after ${answers}`);
      assert.ok(article('A').content.startsWith(`[b](${article('B').address}#part)`));
      assert.equal(article('A').status, 'published');
      assert.equal(article('Draft').content, `[a](${article('A').address})`);
    }
  });
});

/** What readers see. */
async function publishedOf(client: Client) {
  const { id: author } = (await client.readMe()).principal;
  const found = [];
  for await (const { id } of client.each.listArticles({ author }))
    found.push(await client.readArticle({ id }));
  return found;
}

test('two imports of texts with links at once add each once', async () => {
  await withFiles(pages, async (path) => {
    const client = clientOf(server, await server.register());
    await Promise.all([run(client, path), run(client, path)]);
    assert.equal((await allArticles(client)).length, 4);
    const article = await stateOf(client);
    assert.equal(article('B').content.includes(article('A').address), true);
  });
});

test('a site that Jekyll wrote: post_url, link, and addresses of posts', async () => {
  const site = join(folder, 'jekyll');
  await cp(join(fixtures, 'jekyll'), site, { recursive: true });
  const tags = '{% post_url 2026-11-23-welcome-to-jekyll %}';
  await writeFile(
    join(site, '_posts/2026-11-22-links.md'),
    `---\ntitle: Links\n---\n[a](${tags}) [b]({{ site.baseurl }}${tags}) [c]({% link _posts/2026-11-23-welcome-to-jekyll.markdown %}) [d](/jekyll/update/2026/11/23/welcome-to-jekyll.html) [e]({% post_url 2020-01-01-none %})\n`,
  );
  const { article, notes } = await importedFrom(site);
  const { address } = article('Welcome to Jekyll!');
  assert.equal(
    article('Links').content,
    `[a](${address}) [b](${address}) [c](${address}) [d](${address}) [e]({% post_url 2020-01-01-none %})`,
  );
  assert.ok(notes.includes('The template tag post_url 2020-01-01-none stays as text.'));
});

test('a site that Hugo wrote: ref, relref, and addresses of pages', async () => {
  const site = join(folder, 'hugo');
  await cp(join(fixtures, 'hugo'), site, { recursive: true });
  await writeFile(
    join(site, 'content/posts/links.md'),
    `${day}# Links\n\n[a]({{< ref "posts/as-yaml" >}}) [b]({{< relref "as-yaml/index.md#x" >}}) [c](/posts/as-yaml/)\n`,
  );
  const { article } = await importedFrom(site);
  const found = /\]\((\S+)\) \[b\]\((\S+)#x\) \[c\]\((\S+)\)/.exec(article('Links').content);
  assert.ok(found, article('Links').content);
  const [, ...addresses] = found;
  assert.equal(new Set(addresses).size, 1);
  assert.equal((await fetch(addresses[0] ?? '')).status, 200);
});

test('an Obsidian vault: links to notes that are published', async () => {
  const head = '---\npublish: true\n---\n';
  const vault = {
    '.obsidian/app.json': '{}',
    'Notes/One.md': `${head}[[Two]], [[two#Part|the other]], [[Secret]], ![[Two]], [m](Two.md)`,
    'More/Two.md': `${head}[[Notes/One]]`,
    'Secret.md': '[[One]]',
  };
  await withFiles(vault, async (path) => {
    const { article, notes } = await importedFrom(path);
    const [one, two] = [article('One').address, article('Two').address];
    assert.equal(
      article('One').content,
      `[Two](${two}), [the other](${two}), Secret, [Two](${two}), [m](${two})`,
    );
    assert.equal(article('Two').content, `[Notes/One](${one})`);
    assert.equal(article('Secret').content, `[One](${one})`);
    assert.match(notes.join('\n'), /^\[\[Secret\]\] is not linked/);
  });
});

test('an export that Ghost wrote: addresses of its posts', async () => {
  const text = await readFile(join(fixtures, 'ghost/ghost.json'), 'utf8');
  const changed = text.replaceAll('https://example.org/book', '__GHOST_URL__/from-html/#part');
  assert.notEqual(changed, text);
  const file = join(folder, 'ghost.json');
  await writeFile(file, changed);
  const { article } = await importedFrom(file);
  const { address } = article('From HTML');
  assert.match(
    article('Lexical & “cards”').content,
    new RegExp(`\\[A bookmark\\]\\(${address}#part\\)`),
  );
});

test('an export that WordPress wrote: addresses of its posts and pages', async () => {
  const text = await readFile(join(fixtures, 'wordpress/wordpress.xml'), 'utf8');
  const file = join(folder, 'wordpress.xml');
  for (const link of [
    'https://blog.example.org/?p=6#x',
    '/?p=6#x',
    'http://www.blog.example.org/classic/#x',
  ]) {
    const changed = text
      .replaceAll(/https:\/\/example\.org\/\?a=1&amp;b=2/g, link)
      .replace(
        '<link>https://blog.example.org/?p=6</link>',
        '<link>https://blog.example.org/classic/</link>',
      );
    assert.notEqual(changed, text);
    await writeFile(file, changed);
    const { article } = await importedFrom(file);
    const { address } = article('Classic');
    assert.match(
      article('Gutenberg & “blocks” here').content,
      new RegExp(`\\[a link\\]\\(${address}#x\\)`),
    );
  }
});

test('an export of Colophon: links of unsigned texts; signed texts stay as they are', async () => {
  const { client: origin, id } = await anAgent(server);
  const a = await origin.createArticle({ title: 'A', content: 'Not yet.' });
  const b = await origin.createArticle({
    title: 'B',
    content: `See ${a.url}#comments and https://b.example${new URL(a.url).pathname}.`,
  });
  await origin.publishArticle({ id: b.id });
  const content = `Back to [b](/@x/${b.id}.md).`;
  await origin.createRevision({ id: a.id, content, if_match: a.revision_id });
  await origin.publishArticle({ id: a.id });
  const signer = await signerOf(createSecretKey());
  const key = await registerSigningKey(origin, { id, signer });
  const text = { title: 'Signed', content: `See ${b.url}.`, metadata: {} };
  const draft = await origin.createArticle(text);
  await publishSigned(origin, { draft, text, signer, signature_key_id: key.id });
  const archive = join(folder, 'export.zip');
  await writeFile(archive, await downloadExport(origin));
  const { article, notes } = await importedFrom(archive);
  assert.equal(article('A').content, `Back to [b](${article('B').address}.md).`);
  assert.equal(
    article('B').content,
    `See ${article('A').address}#comments and https://b.example${new URL(a.url).pathname}.`,
  );
  assert.equal(article('Signed').content, text.content);
  assert.deepEqual(notes, [`${b.url} stays in a text that is signed at its origin.`]);
  const client = clientOf(server, await server.register());
  await run(client, archive);
  await assert.doesNotReject(assertSameArticles(origin, client), 'the origin can be restored');
});
