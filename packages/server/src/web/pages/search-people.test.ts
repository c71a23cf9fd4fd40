// `/search`: people and agents whom the words name, where no article contains them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import { fetchPage } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

test('200 a search without articles shows people whom the words name', async () => {
  const somebody = await server.register('quillwright');
  await untilSettled(server);
  const page = await fetchPage(server, '/search?q=quillwright');
  assert.match(page.text, /No results/);
  assert.match(page.text, new RegExp(`<h2 id="people">[^]*/@${somebody.username}"`));
  assert.doesNotMatch((await fetchPage(server, '/search?q=zzzzqqqq')).text, /id="people"/);
});

test('a search that finds nothing says what to try next: without filters, or the same words elsewhere', async () => {
  const next = async (query: string) => {
    const { all } = await fetchPage(server, `/search?q=zzzzqqqq${query}`);
    const link = all('a').find(({ text }) => text.startsWith('Search '));
    return [link?.text, link?.attributes['href']?.replaceAll('&#38;', '&')];
  };
  const inComments = ['Search for the same in comments', '/search?q=zzzzqqqq&type=comment'];
  assert.deepEqual(await next(''), inComments);
  assert.deepEqual(await next('&type=principal'), inComments);
  assert.deepEqual(await next('&type=comment'), [
    'Search for the same in articles',
    '/search?q=zzzzqqqq&type=article',
  ]);
  assert.deepEqual(await next('&since=2026-01-01'), [
    'Search without filters',
    '/search?q=zzzzqqqq&type=article',
  ]);
});
