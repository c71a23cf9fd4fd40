// Taking an article back by the forms, without scripts: private, deleted, erased; by whom, and sent twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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

const key = '0123456789abcdef';
const placeOf = (id: string) => `/write/${id}/remove`;
const sends = (form: string, id: string, fields = {}, of: Writer = writer) =>
  of.send(`${placeOf(id)}?form=${form}`, { key, ...fields });
const statusOf = async (id: string) => (await server.ask('GET', `/v1/articles/${id}`)).status;
const formsOf = async (id: string, of: Writer = writer) => {
  const page = await of.page(placeOf(id));
  assert.equal(page.status, 200, page.text);
  const actions = page.all('form').map(({ attributes }) => attributes['action'] ?? '');
  return actions.map((action) => new URLSearchParams(action.split('?')[1]).get('form'));
};

test('each way says what it keeps; a draft and a private article have no public page to take back', async () => {
  const { id } = await writer.published();
  assert.deepEqual(await formsOf(id), ['private', 'delete', 'erase']);
  const { text } = await writer.page(placeOf(id));
  for (const words of [
    'You can undo it',
    'You cannot undo it',
    'No one can undo it',
    'Copies that others have made',
  ])
    assert.ok(text.includes(words), words);
  assert.deepEqual(await formsOf((await writer.draft()).id), ['delete', 'erase']);
  const hidden = await writer.published({ visibility: 'private' });
  assert.deepEqual(await formsOf(hidden.id), ['delete', 'erase']);
});

test('deleting takes two presses: its form is folded; no way that cannot be undone stands out', async () => {
  for (const { id } of [await writer.published(), await writer.draft()]) {
    const { text } = await writer.page(placeOf(id));
    assert.match(
      text,
      /<details id="delete-first"><summary>Delete the \w+<\/summary>\s*<form[^>]*form=delete"[^]*?<button class="quiet">Delete for good<\/button>[^]*?<\/form><\/details>/,
    );
    assert.match(text, /<button class="quiet">Erase for ever/);
  }
});

test('private: readers get 404, everything is kept, and it can be made public again', async () => {
  const { id } = await writer.published({ content: 'Kept text.' });
  const sent = await sends('private', id);
  assert.equal(sent.status, 303);
  assert.equal(sent.headers.get('location'), '/articles?done=private#done');
  assert.equal(await statusOf(id), 404);
  assert.match((await writer.page('/articles?done=private')).text, /The article is private now/);
  assert.equal((await writer.newest(id)).content, 'Kept text.');
  const public_ = { key, act: 'save', visibility: 'public' };
  assert.equal((await writer.send(`/write/${id}/publish?form=publish`, public_)).status, 303);
  assert.equal(await statusOf(id), 200);
});

test('deleted: readers get 410, the list has it no more, and a second press does nothing', async () => {
  const { id } = await writer.published();
  for (let press = 1; press <= 2; press += 1) {
    const sent = await sends('delete', id);
    assert.equal(sent.status, 303, sent.text);
    assert.equal(sent.headers.get('location'), '/articles?done=deleted#done');
  }
  assert.equal(await statusOf(id), 410);
  assert.equal((await writer.page(placeOf(id))).status, 410);
  assert.ok(!(await writer.page('/articles')).text.includes(id));
});

test('erased: only with the word, which comes back when it is wrong', async () => {
  const { id } = await writer.published();
  const wrong = await sends('erase', id, { confirm: 'Erase <it>' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /id="confirm-fault"[^>]*>This must be the word “erase”\.</);
  assert.match(wrong.text, /value="Erase &[^"]+it/);
  assert.equal(await statusOf(id), 200);
  const long = await sends('erase', id, { confirm: 'erase', reason: 'y'.repeat(501) });
  assert.equal(long.status, 422);
  assert.match(long.text, /id="reason-fault"[^>]*>This [^<]*500/);
  for (let press = 1; press <= 2; press += 1) {
    const sent = await sends('erase', id, { confirm: ' erase ', reason: 'A mistake.' });
    assert.equal(sent.headers.get('location'), '/articles?done=erased#done', sent.text);
  }
  const gone = await server.ask('GET', `/v1/articles/${id}`);
  assert.equal(gone.status, 410);
});

test('somebody else’s article: 404, and nothing happens', async () => {
  const other = await openWriter(server);
  const [draft, published] = [await writer.draft(), await writer.published()];
  for (const { id } of [draft, published]) {
    assert.equal((await other.page(placeOf(id))).status, 404);
    for (const form of ['private', 'delete', 'erase'])
      assert.equal((await sends(form, id, { confirm: 'erase' }, other)).status, 404, form);
  }
  assert.equal(await statusOf(published.id), 200);
  assert.equal((await writer.newest(draft.id)).status, 'draft');
  await sends('delete', published.id);
  for (const form of ['delete', 'erase'])
    assert.equal((await sends(form, published.id, { confirm: 'erase' }, other)).status, 403, form);
});

test('an agent’s article: its owner can delete and erase it, and cannot change who reads it', async () => {
  const agent = await writer.agent();
  const one = await server.published(agent);
  const other = await server.published(agent);
  assert.deepEqual(await formsOf(one.id), ['delete', 'erase']);
  assert.equal((await sends('private', one.id)).status, 403);
  assert.equal((await sends('delete', one.id)).status, 303);
  assert.equal((await sends('erase', other.id, { confirm: 'erase' })).status, 303);
  assert.equal(await statusOf(one.id), 410);
  assert.equal(await statusOf(other.id), 410);
});
