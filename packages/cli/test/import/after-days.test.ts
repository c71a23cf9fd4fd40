// An import that is run again days later: what the author and moderators have decided since stays.
import assert from 'node:assert/strict';
import { appendFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { limits } from '@colophon/contract';
import { forgetKeys } from '../../../server/test/forgotten-keys.ts';
import { startServer } from '../../../server/test/harness.ts';
import { act, aModerator } from '../../../server/test/moderators.ts';
import { openHome } from '../run-cli.ts';
import { allArticles } from './compare.ts';
import { withFiles } from './folder-files.ts';
import { clientOf } from './origin-account.ts';

// Its pipeline would make the variants of every image, each in a process.
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

const names = ['deleted', 'private', 'hidden', 'delisted', 'removed', 'kept', 'linking'];
const pages = Object.fromEntries(
  names.map((name) => [
    `${name}.md`,
    `---\ntitle: ${name}\ndate: 2020-01-01\n---\n${name === 'linking' ? '[a](kept.md) [b](delisted.md)' : 'Text.'}`,
  ]),
);

/** Imports the pages as a new person, and then each of them meets its fate. */
async function importPages(folder: string) {
  const human = await server.register();
  const client = clientOf(server, human);
  const home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: human.token });
  const first = await home.json(['import', folder]);
  assert.equal(first.counts.imported, names.length);
  const articles = await allArticles(client);
  const ids = new Map(articles.map(({ title, id }) => [title, id]));
  const id = (name: string) => ids.get(name) ?? '';
  await client.deleteArticle({ id: id('deleted') });
  await client.updateArticle({ id: id('private'), visibility: 'private' });
  for (const [name, action] of [
    ['hidden', 'hide'],
    ['delisted', 'de-index'],
    ['removed', 'remove'],
  ] as const)
    await act(server, moderator, { target_type: 'article', target_id: id(name), action });
  await forgetKeys(server);
  return { client, home, id };
}

test('removed, hidden, delisted and private articles are left as they are, and listed', async () => {
  await withFiles(pages, async (folder) => {
    const { client, home, id } = await importPages(folder);
    await using _ = home;
    const before = await allArticles(client);
    for (const words of [['--dry-run'], [], []]) {
      const { counts, items } = await home.json(['import', folder, ...words]);
      assert.deepEqual([counts.imported, counts.would_import, counts.present], [0, 0, 5]);
      const noted = items.map((item: { title: string; notes: string[] }) => [
        item.title,
        ...item.notes,
      ]);
      const removed =
        'It was imported before, and has been removed from the service since. It is left as it is.';
      assert.deepEqual(noted, [
        ['deleted', removed],
        ['delisted', 'A moderator has taken it out of the lists. It is left as it is.'],
        ['hidden', 'A moderator has hidden it. It is left as it is.'],
        ['private', 'It is private at the service. It is left as it is.'],
        ['removed', removed],
      ]);
      assert.deepEqual(await allArticles(client), before);
    }
    assert.equal((await client.readArticle({ id: id('private') })).visibility, 'private');
  });
});

test('the record is for its owner only, and survives a line that was not finished', async () => {
  await withFiles(pages, async (folder) => {
    const { home } = await importPages(folder);
    await using _ = home;
    const place = join(home.folder, '.local/state/colophon/imports');
    const [name = ''] = await readdir(place);
    assert.equal((await stat(join(place, name))).mode & 0o777, 0o600);
    await appendFile(join(place, name), '\n{"service":"folder:');
    const { counts } = await home.json(['import', folder]);
    assert.deepEqual([counts.imported, counts.present], [0, 5]);
  });
});

test('what does not fit is removed by the import itself, and tried again by the next one', async () => {
  const human = await server.register();
  await using home = await openHome({
    COLOPHON_URL: server.baseUrl,
    COLOPHON_TOKEN: human.token,
  });
  // The text fits with the link of its origin, and not with the longer address at the service.
  const start = '[b](b.md) ';
  const filled = start + 'x'.repeat(limits.content_bytes_max - start.length);
  await withFiles({ 'a.md': filled, 'b.md': 'B' }, async (folder) => {
    for (const imported of [1, 0]) {
      const { counts, items } = await home.json(['import', folder]);
      assert.deepEqual([counts.imported, counts.not_imported], [imported, 1]);
      const [note = ''] = items.find(
        ({ outcome }: { outcome: string }) => outcome === 'not_imported',
      ).notes;
      assert.match(note, /^Its text has \d+ bytes; the service accepts at most \d+\.$/);
      assert.equal((await allArticles(clientOf(server, human))).length, 1);
      await forgetKeys(server);
    }
  });
});
