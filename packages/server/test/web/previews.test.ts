// What other sites and systems show of a page: the tags of its preview, once each, and the icons.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import { fetchPage, metaOf } from '#test/page';
import type { FetchedPage } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

function namesOf({ all }: FetchedPage): readonly string[] {
  return all('meta').flatMap(({ attributes }) => {
    const name = attributes['property'] ?? attributes['name'];
    // One for light and one for dark pages are two.
    return name === undefined ? [] : [`${name} ${attributes['media'] ?? ''}`.trim()];
  });
}

test('every page with an address of its own has the tags of a preview, once each', async () => {
  const author = await server.register();
  const made = await server.published(author, { title: 'Moss', metadata: { topics: ['stone'] } });
  await untilSettled(server);
  const types = {
    '/': 'website',
    '/topics': 'website',
    '/topics/stone': 'website',
    '/docs': 'website',
    '/docs/api': 'website',
    [`/@${author.username}`]: 'profile',
    [new URL(made.url).pathname]: 'article',
  };
  for (const [path, type] of Object.entries(types)) {
    const page = await fetchPage(server, path);
    assert.equal(page.status, 200, path);
    assert.equal(metaOf(page, 'og:type'), type, path);
    const canonical = page.all('link').find(({ attributes }) => attributes['rel'] === 'canonical');
    assert.equal(metaOf(page, 'og:url'), canonical?.attributes['href'], path);
    for (const name of ['og:title', 'og:site_name', 'twitter:card', 'twitter:title'])
      assert.ok(metaOf(page, name), `${path} ${name}`);
    const once = namesOf(page).filter((name) => name !== 'article:tag');
    assert.deepEqual(once, [...new Set(once)], path);
  }
  const search = await fetchPage(server, '/search');
  assert.equal(metaOf(search, 'og:title'), undefined);
});

test('the icons for phones and for programs that read no page are pictures', async () => {
  const page = await fetchPage(server, '/');
  const link = page.all('link').find(({ attributes }) => attributes['rel'] === 'apple-touch-icon');
  const touch = await fetch(new URL(link?.attributes['href'] ?? '', server.baseUrl));
  assert.equal(touch.headers.get('content-type'), 'image/png');
  const png = Buffer.from(await touch.arrayBuffer());
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [180, 180]);
  const tab = await fetch(new URL('/favicon.ico', server.baseUrl));
  assert.equal(tab.status, 200);
  assert.equal(tab.headers.get('content-type'), 'image/vnd.microsoft.icon');
  const ico = Buffer.from(await tab.arrayBuffer());
  assert.equal(ico.subarray(0, 4).toString('hex'), '00000100');
});
