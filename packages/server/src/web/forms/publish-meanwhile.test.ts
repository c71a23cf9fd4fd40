// The publish page of details that were changed meanwhile, in another tab or through the API.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formsIn, pairsOf } from '#test/forms/shown-forms';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openWriter } from '#test/writers';
import type { Writer } from '#test/writers';

let server: TestServer;
let writer: Writer;
before(async () => {
  server = await startServer();
  writer = await openWriter(server);
});
after(() => server[Symbol.asyncDispose]());

const placeOf = (id: string) => `/write/${id}/publish`;

/** The values that the form of the page has. */
async function fieldsOf(id: string): Promise<Record<string, string>> {
  const { text } = await writer.page(placeOf(id));
  const form = formsIn(text).find(({ action }) => action.includes('form=publish'));
  assert.ok(form, text);
  return Object.fromEntries(pairsOf(form).filter(([name]) => name !== 'act'));
}

const publishes = (id: string, fields: Record<string, string>) =>
  writer.send(`${placeOf(id)}?form=publish`, { act: 'publish', ...fields });

const change = (id: string, body: Readonly<Record<string, unknown>>) =>
  writer.ask('PATCH', `/-/v1/articles/${id}`, { body });

test('details that changed meanwhile are not set back by a page that still shows the old ones', async () => {
  const { id, revision_id } = await writer.published({ metadata: { topics: ['old'] } });
  const fields = { ...(await fieldsOf(id)), description: 'About it.', act: 'save' };
  await change(id, { visibility: 'private', authorship_disclosure: 'ai_assisted', language: 'de' });
  await writer.revise(id, {
    metadata: { topics: ['new'] },
    expected_revision_id: revision_id,
  });
  const sent = await publishes(id, fields);
  assert.equal(sent.headers.get('location'), `${placeOf(id)}?said=details#said`);
  const { visibility, authorship_disclosure, language, metadata } = await writer.newest(id);
  assert.deepEqual([visibility, authorship_disclosure, language], ['private', 'ai_assisted', 'de']);
  assert.deepEqual(metadata, { topics: ['new'], description: 'About it.' });
  const page = await writer.page(`${placeOf(id)}?said=details`);
  assert.match(page.text, /The details have changed since you opened this page/);
});

test('a draft whose details changed meanwhile is not published; with a narrower audience it is', async () => {
  const { id } = await writer.draft();
  const shown = await fieldsOf(id);
  await change(id, { visibility: 'unlisted' });
  const sent = await publishes(id, shown);
  assert.equal(sent.headers.get('location'), `${placeOf(id)}?said=details#said`);
  assert.equal((await writer.newest(id)).status, 'draft');
  const narrower = await fieldsOf(id);
  await change(id, { visibility: 'public' });
  assert.equal((await publishes(id, narrower)).status, 303);
  const { status, visibility } = await writer.newest(id);
  assert.deepEqual([status, visibility], ['published', 'unlisted']);
});

test('a refused form shows what was typed, and what it left alone as it is now', async () => {
  const { id } = await writer.draft();
  const typed = { ...(await fieldsOf(id)), canonical_url: 'nowhere' };
  await change(id, { visibility: 'private' });
  const { status, text } = await publishes(id, typed);
  assert.equal(status, 422);
  assert.match(text, /value="nowhere"/);
  assert.match(text, /name="visibility" value="private" checked/);
});
