// The links below a comment: in a list of links, which screen readers make, each says whose comment it is about.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { comment } from '#test/comments';
import { startServer } from '#test/harness';
import { fetchPage } from '#test/page';
import type { FetchedPage } from '#test/page';
import { openBrowser } from '#test/web-session';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const actsOf = ({ all }: FetchedPage) =>
  [...all('a'), ...all('summary')]
    .filter(({ text }) => ['Reply', 'Report', 'Delete'].includes(text))
    .map(({ attributes }) => attributes['aria-label']);

test('replying, reporting and deleting name the author of the comment', async () => {
  const [author, one, other] = await Promise.all([1, 2, 3].map(() => server.register()));
  assert.ok(author && one && other);
  const { id, url } = await server.published(author);
  await comment(server, one, id, { content: 'First.' });
  await comment(server, other, id, { content: 'Second.' });
  const reports = [one, other].map(({ username }) => `Report the comment by @${username}`);
  assert.deepEqual(actsOf(await fetchPage(server, url)), reports);
  const made = await server.ask('POST', '/v1/web-links', { token: one.token, body: {} });
  const browser = openBrowser(server);
  const secret = new URL(made.body.url).hash.slice(1);
  await browser.ask('POST', '/-/link', { body: { secret } });
  assert.deepEqual(actsOf(await browser.page(new URL(url).pathname)), [
    `Reply to @${one.username}`,
    `Reply to @${other.username}`,
    `Report the comment by @${other.username}`,
    `Delete the comment by @${one.username}`,
  ]);
});
