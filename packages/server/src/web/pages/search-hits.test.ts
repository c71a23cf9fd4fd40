// `/search`: what a result says of a comment and of a person, and the words about a search that is refused.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { comment } from '#test/comments';
import { untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import { fetchPage } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

test('a comment is named by its article, while that is listed', async () => {
  const author = await server.register();
  const made = await server.published(author, { title: 'Moss & stone' });
  await comment(server, author, made.id, { content: 'A glimmerwort remark.' });
  await untilSettled(server);
  const page = await fetchPage(server, '/search?q=glimmerwort&type=comment');
  const titles = page.all('h2').map(({ text }) => text);
  assert.deepEqual(titles, ['Comment on Moss & stone']);
});

test('a person who is found by name has the name once', async () => {
  const named = await server.register('quillwright');
  await server.ask('PATCH', `/v1/principals/${named.id}`, {
    token: named.token,
    body: { bio: 'Writes about thimbleweed.' },
  });
  await untilSettled(server);
  const byName = await fetchPage(server, '/search?q=quillwright&type=principal');
  assert.equal(byName.all('h2').length, 1);
  assert.doesNotMatch(byName.text, /class="excerpt"/);
  const byText = await fetchPage(server, '/search?q=thimbleweed&type=principal');
  assert.match(byText.text, /class="excerpt"[^>]*>Writes about <mark>thimbleweed/);
});

test('a search that is refused says what to change', async () => {
  const cases = [
    [`q=${'x'.repeat(201)}`, /more than 200 characters\. Search for fewer words/],
    ['q=x&since=2020-13-45', /A filter has a value/],
    ['q=x&cursor=x', /This page of results cannot be shown/],
  ] as const;
  for (const [query, words] of cases) {
    const { status, text } = await fetchPage(server, `/search?${query}`);
    assert.equal(status, 200);
    assert.match(text, words);
    assert.doesNotMatch(text, /parameter/);
  }
});
