// Later pages of lists: each has another title than the first one, and an address of its own for search engines.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import { fetchPage, linkOf } from '#test/page';
import type { FetchedPage } from '#test/page';
import { openWriter } from '#test/writers';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

/** More than one page of every list below. */
const many = 21;
const writer = await openWriter(server);
for (let at = 1; at <= many; at += 1)
  await writer.published({
    title: `Of moss ${at}`,
    content: 'About moss.',
    metadata: { topics: ['Moss'] },
  });
await untilSettled(server);

const titleOf = (page: FetchedPage) => page.all('title')[0]?.text.replace(/ · [^·]*$/, '');

const nextOf = ({ all }: FetchedPage) =>
  all('a').find(({ attributes }) => attributes['rel'] === 'next')?.attributes['href'] ?? '';

const today = '\\d{1,2} [A-Z][a-z]+ \\d{4}';
const profile = `/@${writer.username}`;

for (const [path, first, later] of [
  ['/', 'Colophon', `Latest, ${today} and earlier`],
  ['/topics/moss', 'Moss', `Moss, ${today} and earlier`],
  [profile, `@${writer.username}`, `@${writer.username}, ${today} and earlier`],
] as const) {
  test(`${path.replace(/@.*/, '@username')}: the title of a later page says where it begins`, async () => {
    const newest = await fetchPage(server, path);
    assert.equal(titleOf(newest), first);
    const older = await fetchPage(server, nextOf(newest));
    assert.match(titleOf(older) ?? '', new RegExp(`^${later}$`));
    assert.equal(linkOf(older, 'canonical'), new URL(nextOf(newest), server.baseUrl).href);
    assert.equal(older.headers.get('x-robots-tag'), null, 'it may be indexed, as the first one');
  });
}

test('results of a search, and lists without dates', async () => {
  const best = await fetchPage(server, '/search?q=moss');
  assert.equal(titleOf(best), 'Search for moss');
  const more = await fetchPage(server, nextOf(best));
  assert.equal(titleOf(more), 'Search for moss, from result 21');
  assert.equal(more.headers.get('x-robots-tag'), 'noindex');
  const own = await writer.page('/articles');
  assert.equal(titleOf(own), 'Your articles');
  assert.equal(titleOf(await writer.page(nextOf(own))), 'Your articles, continued');
});
