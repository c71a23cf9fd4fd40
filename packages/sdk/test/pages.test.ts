// Lists as async generators: over pages, lazily, and ended at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, isProblem } from '@colophon/sdk';
import { json, refuse, startScript } from './scripted-server.ts';

function page(names: readonly string[], cursor: string | null) {
  return json(200, { items: names.map((title) => ({ title })), next_cursor: cursor });
}

test('every item of every page, empty pages too', async () => {
  await using server = await startScript(page(['a', 'b'], 'A'), page([], 'B'), page(['c'], null));
  const titles: string[] = [];
  for await (const article of createClient({ baseUrl: server.baseUrl }).each.listArticles({
    author: 'ada',
    limit: 2,
  })) {
    titles.push(article.title);
  }
  assert.deepEqual(titles, ['a', 'b', 'c']);
  assert.deepEqual(
    server.seen.map((request) => request.url),
    [
      '/v1/articles?author=ada&limit=2',
      '/v1/articles?author=ada&limit=2&cursor=A',
      '/v1/articles?author=ada&limit=2&cursor=B',
    ],
  );
});

test('nothing is asked before it is wanted, nor after the loop is left', async () => {
  await using server = await startScript(page(['a', 'b'], 'A'), page(['c'], null));
  const articles = createClient({ baseUrl: server.baseUrl }).each.listArticles();
  assert.equal(server.seen.length, 0);
  for await (const article of articles) if (article.title === 'b') break;
  assert.equal(server.seen.length, 1);
  assert.deepEqual(await articles.next(), { done: true, value: undefined });
  assert.equal(server.seen.length, 1);
});

test('a problem on a later page is thrown where it is met, after its retries', async () => {
  await using server = await startScript(page(['a'], 'A'), refuse('unavailable'), refuse('gone'));
  const client = createClient({ baseUrl: server.baseUrl, retry: { baseMs: 1 } });
  const titles: string[] = [];
  await assert.rejects(
    async () => {
      for await (const one of client.each.listRevisions({ id: 'x' })) titles.push(one.title);
    },
    (error) => isProblem(error, 'gone'),
  );
  assert.deepEqual(titles, ['a']);
  assert.equal(server.seen.length, 3);
});

test('a signal ends the loop with its reason', async () => {
  await using server = await startScript(page(['a'], 'A'));
  const ending = new AbortController();
  const client = createClient({ baseUrl: server.baseUrl });
  await assert.rejects(
    async () => {
      for await (const _ of client.each.listTokens({}, { signal: ending.signal })) ending.abort();
    },
    { name: 'AbortError' },
  );
  assert.equal(server.seen.length, 1);
});
