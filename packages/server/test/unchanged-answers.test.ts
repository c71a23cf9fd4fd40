// A 304 names the same selecting headers as the answer that it stands for: caches store its headers.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { untilPlaced } from './feeds.ts';
import { startServer } from './harness.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const author = await server.register();
const { id, url } = await server.published(author, { content: 'Some words. '.repeat(400) });
await server.published(author, { content: 'x' });
await untilPlaced(server);

for (const path of [
  `/v1/articles/${id}`,
  '/v1/articles',
  '/v1/feed',
  new URL(url).pathname,
  `${new URL(url).pathname}.md`,
  '/',
]) {
  for (const coding of ['identity', 'gzip', 'br']) {
    test(`${path} in ${coding}: 304 has the Vary and the ETag of 200`, async () => {
      const headers = { 'accept-encoding': coding };
      const whole = await fetch(server.baseUrl + path, { headers });
      assert.equal(whole.status, 200);
      await whole.arrayBuffer();
      const etag = whole.headers.get('etag') ?? '';
      assert.notEqual(etag, '');
      const again = await fetch(server.baseUrl + path, {
        headers: { ...headers, 'if-none-match': etag },
      });
      assert.equal(again.status, 304);
      for (const name of ['vary', 'etag', 'cache-control'])
        assert.equal(again.headers.get(name), whole.headers.get(name), name);
    });
  }
}
