// What the page of an article says after its author has published it, without scripts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formsIn, pairsOf } from '#test/forms/shown-forms';
import { startServer } from '#test/harness';
import { openBrowser } from '#test/web-session';
import { openWriter } from '#test/writers';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const writer = await openWriter(server);

/** Sends the form of the page as it is shown, with other values of some fields. */
async function publishes(id: string, others: Readonly<Record<string, string>> = {}) {
  const place = `/write/${id}/publish`;
  const { text } = await writer.page(place);
  const form = formsIn(text).find(({ action }) => action.includes('form=publish'));
  assert.ok(form, text);
  const fields = { ...Object.fromEntries(pairsOf(form)), ...others, act: 'publish' };
  return writer.send(`${place}?form=publish`, fields);
}

test('the author is told that it is published; nobody else is, and no cache keeps it', async () => {
  const { id, url } = await writer.draft({ title: 'Out now' });
  const { pathname } = new URL(url);
  const said = /<p class="note" id="done" role="status" tabindex="-1">Published\. /;
  const place = `${pathname}?done=published`;
  assert.doesNotMatch((await writer.page(place)).text, said, 'it is a draft');
  const sent = await publishes(id);
  assert.equal(sent.headers.get('location'), `${place}#done`);
  const page = await writer.page(place);
  assert.match(page.text, said);
  assert.equal(page.headers.get('cache-control'), 'private, no-store');
  assert.match(page.text, new RegExp(`<link rel="canonical" href="${url}">`));
  assert.doesNotMatch((await writer.page(pathname)).text, said);
  const readers = [openBrowser(server), await openWriter(server)];
  for (const reader of readers) assert.doesNotMatch((await reader.page(place)).text, said);
  await publishes(id, { visibility: 'private' });
  assert.doesNotMatch((await writer.page(place)).text, said, 'no one else reads it');
});
