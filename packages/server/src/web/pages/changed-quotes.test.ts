// A comment quotes a passage of an article, and the article changes.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { comment } from '#test/comments';
import { startServer } from '#test/harness';
import { fetchPage } from '#test/page';
import { publish, revise } from '#test/signed-articles';
import type { Draft } from '#test/signed-articles';
import { openBrowser } from '#test/web-session';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const note = 'this passage is no longer in it';

test('a quotation that is no longer in the article is marked, and leads to what has changed', async () => {
  const author = await server.register();
  const reader = await server.register();
  const made = await server.published(author, {
    content: 'Moss needs shade and water.\n\nIt grows slowly.',
  });
  const path = new URL(made.url).pathname;
  const write = (content: string) => comment(server, reader, made.id, { content });
  await write('> Moss needs shade and water.\n\nReally?');
  await write('> It grows slowly.\n\nI know.');
  await write('> Somebody else said something else.');
  const marks = async () => (await fetchPage(server, path)).text.split(note).length - 1;
  assert.equal(await marks(), 0);

  let newest: Draft = made as never;
  const next = async (content: string) => {
    newest = await revise(server, author, newest, content);
    const body = { revision_id: newest.revision_id };
    assert.equal((await publish(server, author, made.id, { body })).status, 200);
  };
  await next('Moss needs time.\n\nIt grows slowly.');
  const page = await fetchPage(server, path);
  assert.equal(page.text.split(note).length - 1, 1);
  const since = `${path}/revisions?from=${made.revision_id}&#38;to=${newest.revision_id}#changes`;
  const hrefs = page.all('a').map(({ attributes }) => attributes['href']);
  assert.ok(hrefs.includes(since.replace('&#38;', '&')), hrefs.join('\n'));
  assert.equal((await fetchPage(server, path)).text, page.text, 'the kept page');

  await write('> Moss needs time.\n\nNow it does.');
  assert.equal(await marks(), 1, 'a comment on the text as it is now');
  const browser = openBrowser(server);
  await browser.join();
  assert.equal((await browser.page(path)).text.split(note).length - 1, 1, 'signed in');

  await next('Moss needs shade and water.\n\nIt grows slowly. Moss needs time.');
  assert.equal(await marks(), 0, 'the passage is back');
  await next('Gone.');
  assert.equal(await marks(), 3);
});
