// Pages with comments that are slow to render delay the pages of the address that asks for them, and no others.
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, test } from 'node:test';
import { comment } from '#test/comments';
import { startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

/** Text of a page, asked for from a network address of this machine. */
function pageFrom(localAddress: string, path: string): Promise<string> {
  const { port } = new URL(server.baseUrl);
  const headers = { host: new URL(server.baseUrl).host, accept: 'text/html' };
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, localAddress, path, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        assert.equal(response.statusCode, 200);
        resolve(Buffer.concat(pieces).toString());
      });
    }).on('error', reject);
  });
}

function pathOf(url: string): string {
  return url.slice(server.baseUrl.length);
}

test('200 for a page with a new comment before the pages of another address with slow comments', async () => {
  const [slow, quick] = [await server.register(), await server.register()];
  const hostile = await server.published(slow);
  // The text of the article is rendered before, so that the page begins with its comments.
  await pageFrom('127.0.0.2', pathOf(hostile.url));
  for (let n = 0; n < 40; n += 1)
    await comment(server, slow, hostile.id, { content: `${n} ${'![[^1]:'.repeat(1_150)}` });
  const mine = await server.published(quick);
  await comment(server, quick, mine.id);
  await pageFrom('127.0.0.1', pathOf(mine.url));
  const order: string[] = [];
  const slowPage = pageFrom('127.0.0.2', pathOf(hostile.url)).then((text) => {
    order.push('slow');
    return text;
  });
  // Two of them: in one queue for all, the first would be answered right beside the slow page.
  for (const n of [1, 2]) {
    await comment(server, quick, mine.id, { content: `New *comment ${n}*` });
    const page = await pageFrom('127.0.0.1', pathOf(mine.url));
    order.push('quick');
    assert.ok(page.includes(`New <em>comment ${n}</em>`));
  }
  const shown = await slowPage;
  assert.deepEqual(order, ['quick', 'quick', 'slow']);
  assert.equal(shown.match(/<li class="comment /g)?.length, 40, 'readable, rendered or not');
});
