// Where an article was first published: only web addresses become links, whatever the surface.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from '../harness.ts';
import { fetchPage } from '../page.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const surfaces = async (canonical_url: string) => {
  const human = await server.register();
  const { url } = await server.published(human, { canonical_url, title: 'Moved here' });
  const path = url.slice(server.baseUrl.length);
  const page = await fetchPage(server, path);
  assert.equal(page.status, 200);
  const texts = [page.text];
  for (const more of [
    `/@${human.username}/feed.atom`,
    `/@${human.username}/feed.rss`,
    `/@${human.username}/feed.json`,
  ])
    texts.push((await fetchPage(server, more)).text);
  const canonical = page.all('link').find(({ attributes }) => attributes['rel'] === 'canonical');
  const record = page
    .all('script')
    .filter(({ attributes }) => attributes['type'] === 'application/ld+json')
    .map(({ text }) => JSON.parse(text) as Readonly<Record<string, unknown>>)
    .find((one) => one['@type'] === 'Article');
  const markdown = await server.ask('GET', `${path}.md`);
  return { url, page, texts, canonical, record, link: markdown.headers.get('link') ?? '' };
};

test('an https address is the canonical link, in the record, the header and a link of the page', async () => {
  const address = 'https://example.org/first';
  const { page, canonical, record, link } = await surfaces(address);
  assert.equal(canonical?.attributes['href'], address);
  assert.equal(record?.['mainEntityOfPage'], address);
  assert.ok(link.includes(`<${address}>; rel="canonical"`));
  assert.ok(page.all('a').some(({ attributes }) => attributes['href'] === address));
});

for (const address of [
  'urn:isbn:0451450523',
  'doi:10.1000/182',
  'ipfs://QmCase/a',
  'gemini://example.org/',
]) {
  test(`${address} is shown as text, and is a link nowhere`, async () => {
    const { url, page, texts, canonical, record, link } = await surfaces(address);
    assert.equal(canonical?.attributes['href'], url);
    assert.equal(record?.['mainEntityOfPage'], url);
    assert.ok(link.includes(`<${url}>; rel="canonical"`));
    assert.ok(
      page.all('p').some(({ text }) => text.includes(address)),
      'the page names it',
    );
    for (const text of texts)
      assert.doesNotMatch(text, new RegExp(`(?:href|src|content|url)["']?[:=]\\s*["']${address}`));
  });
}
