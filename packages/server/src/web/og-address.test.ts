// The page of an article names its share image by everything that the image shows.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from '#test/harness';
import { askImage } from '#test/og-images';
import { fetchPage, metaOf } from '#test/page';

/** Without a pipeline: images are drawn on request. */
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

type Altered = readonly [
  name: string,
  method: string,
  path: (ids: { readonly human: string; readonly article: string }) => string,
  body: object,
];

/** The path of the image that the page of an article names. */
async function pathOf(id: string): Promise<string> {
  const { body: article } = await server.ask('GET', `/v1/articles/${id}`);
  const page = await fetchPage(server, article.url);
  const { pathname, search } = new URL(metaOf(page, 'og:image') ?? '');
  return pathname + search;
}

for (const [change, method, path, body] of [
  ['display name', 'PATCH', ({ human }) => `/v1/principals/${human}`, { display_name: 'Other' }],
  ['language', 'PATCH', ({ article }) => `/v1/articles/${article}`, { language: 'ja' }],
] as const satisfies readonly Altered[])
  test(`another ${change}: another address and another image at once`, async () => {
    const human = await server.register();
    const { id } = await server.published(human, { title: '直 骨 a', language: 'zh' });
    const first = await askImage(server, id);
    const before = await pathOf(id);
    const changed = await server.ask(method, path({ human: human.id, article: id }), {
      token: human.token,
      key: true,
      body,
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.notEqual(await pathOf(id), before);
    const second = await askImage(server, id);
    assert.notEqual(second.headers.get('etag'), first.headers.get('etag'));
    assert.equal(second.bytes.equals(first.bytes), false);
    const response = await server.ask('GET', await pathOf(id));
    assert.equal(response.headers.get('etag'), second.headers.get('etag'));
  });
