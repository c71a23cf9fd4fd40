// GET /v1/exports/{id}/content over HTTP: the archive, whole or in ranges, and when there is none any more.
import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, keyOf } from '#lib/id';
import type { MediaStore } from '#storage';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { download, readRecord, readyExport, requestExport } from '#test/exports';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { pngOf, pngOfLength, upload } from '#test/media-files';
import { act, aModerator } from '#test/moderators';
import { assertMissingScope } from '#test/problem-checks';
import { until } from '#test/throw-away-database';
import { openArchive } from '../service/archive-reader.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const path = (id: string) => `/v1/exports/${id}/content`;
const content = (who: Pick<Human, 'token'>, id: string, headers: Record<string, string> = {}) =>
  server.ask('GET', path(id), { token: who.token, headers });

test('200 as an attachment with its length, for the caller only; 304 for its tag', async () => {
  const human = await server.register();
  await server.draft(human);
  const { id, byte_size: size, created_at: at } = await readyExport(server, human);
  const { status, headers } = await content(human, id);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/zip');
  assert.equal(headers.get('content-length'), String(size));
  assert.equal(headers.get('cache-control'), 'private, no-store');
  const name = `colophon-export-${human.username}-${at.slice(0, 10)}.zip`;
  assert.equal(headers.get('content-disposition'), `attachment; filename="${name}"`);
  const head = await server.ask('HEAD', path(id), { token: human.token });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(size)]);
  const same = await content(human, id, { 'if-none-match': headers.get('etag') ?? '' });
  assert.equal(same.status, 304);
});

test('206: any range is that of the whole, across pieces and files', async () => {
  const human = await server.register();
  for (const size of [20, 40]) await upload(server, human, 'image', pngOf(size, size));
  for (let n = 0; n < 3; n += 1) await server.draft(human);
  const { id } = await readyExport(server, human);
  const whole = await download(server, human, id);
  const step = 97;
  for (let start = 0; start < whole.length; start += step * 7) {
    const range = `bytes=${start}-${start + step - 1}`;
    const response = await fetch(server.baseUrl + path(id), {
      headers: { authorization: `Bearer ${human.token}`, range },
    });
    assert.equal(response.status, 206);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.deepEqual(bytes, whole.subarray(start, start + step), range);
  }
  const last = await fetch(server.baseUrl + path(id), {
    headers: { authorization: `Bearer ${human.token}`, range: 'bytes=-22' },
  });
  assert.deepEqual(Buffer.from(await last.arrayBuffer()), whole.subarray(-22));
});

test('200 for the owner of an agent with agents:read; 404 not-found for others', async () => {
  const [owner, other] = [await server.register(), await server.register()];
  const agent = await createAgent(server, owner);
  const { id } = await readyExport(server, owner, agent.id);
  for (const who of [owner, agent]) assert.equal((await content(who, id)).status, 200);
  assertProblem(await content(other, id), 'not-found');
  assertProblem(await content(owner, '01M7Z3KJBG7YHCVKQDVW6J2001'), 'not-found');
  const reading = await server.tokenWith(owner, ['articles:read', 'comments:read']);
  assertMissingScope(await content({ token: reading }, id), 'agents:read');
  const narrow = await server.tokenWith(agent, ['articles:read']);
  assertMissingScope(await content({ token: narrow }, id), 'comments:read');
  assertMissingScope(
    await content({ token: await server.tokenWith(owner, ['comments:read']) }, id),
    'articles:read',
  );
});

const status = async (who: Human, id: string) => (await readRecord(server, who, id)).status;

/** Changes the row of an export, as time would. */
async function change(id: string, status: string, expiresAt: string | null): Promise<void> {
  await server.db.transaction((tx) =>
    tx.run(sql`
      update exports
      set status = ${status}, expires_at = ${expiresAt}::timestamptz
      where bucket = ${bucketOf(id)} and id = ${id}`),
  );
}

test('409 conflict while it is not ready; 410 gone once it has expired', async () => {
  const human = await server.register();
  const { id, expires_at: expiresAt } = await readyExport(server, human);
  await change(id, 'running', null);
  const early = await content(human, id);
  assertProblem(early, 'conflict');
  assert.equal(early.headers.get('retry-after'), '5');
  assert.ok(early.body.detail.includes(`GET /v1/exports/${id}`));
  await change(id, 'ready', expiresAt);
  assert.equal((await content(human, id)).status, 200);
  await change(id, 'ready', new Date().toISOString());
  assertProblem(await content(human, id), 'gone');
  const record = await readRecord(server, human, id);
  assert.deepEqual([record.status, record.content_url, record.byte_size], ['expired', null, null]);
});

const removals = {
  'an article was erased': async (human: Human) => {
    const { id } = await server.published(human);
    const body = { confirm: 'erase' };
    return () =>
      server.ask('POST', `/v1/articles/${id}/erase`, { token: human.token, key: true, body });
  },
  'an article was deleted': async (human: Human) => {
    const { id } = await server.published(human);
    return () => server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  },
  'a file was deleted': async (human: Human) => {
    const { id } = (await upload(server, human, 'image', pngOf(5, 5))).body;
    return () => server.ask('DELETE', `/v1/media/${id}`, { token: human.token });
  },
};

for (const [what, prepare] of Object.entries(removals)) {
  test(`410 gone from the answer on: ${what} after the export`, async () => {
    const human = await server.register();
    const remove = await prepare(human);
    const { id } = await readyExport(server, human);
    assert.equal((await content(human, id)).status, 200);
    assert.ok((await remove()).status < 300);
    assertProblem(await content(human, id), 'gone');
    const { id: again } = await readyExport(server, human);
    assert.equal((await content(human, again)).status, 200);
  });
}

test('410 gone: a comment was deleted after the export; the stored bytes go', async () => {
  const human = await server.register();
  const { id: articleId } = await server.published(human);
  const remark = await comment(server, human, articleId);
  const { id } = await readyExport(server, human);
  const listed = async () => {
    const names: string[] = [];
    for await (const { name } of server.services.store.list(bucketOf(id), 'export'))
      names.push(name);
    return names;
  };
  assert.ok((await listed()).length > 0);
  await server.ask('DELETE', `/v1/comments/${remark.id}`, { token: human.token });
  await until('it has expired', async () => (await status(human, id)) === 'expired');
  assertProblem(await content(human, id), 'gone');
  await until('its bytes are deleted', async () => (await listed()).length === 0);
  assert.match((await readRecord(server, human, id)).reason, /removed/);
  assert.equal((await requestExport(server, human)).status, 201);
});

test('410 gone: what a moderator had removed is back, and the reason says so', async () => {
  const [human, mod] = [await server.register(), await aModerator(server)];
  const { id: target_id } = await server.published(human);
  const target = { target_type: 'article', target_id } as const;
  await act(server, mod, { ...target, action: 'remove' });
  const { id } = await readyExport(server, human);
  await act(server, mod, { ...target, action: 'restore' });
  assertProblem(await content(human, id), 'gone');
  assert.match((await readRecord(server, human, id)).reason, /put back/);
});

test('410 gone: a moderator removed a comment of the participant after the export', async () => {
  const [human, mod] = [await server.register(), await aModerator(server)];
  const { id: articleId } = await server.published(await server.register());
  const remark = await comment(server, human, articleId);
  const { id } = await readyExport(server, human);
  await act(server, mod, { target_type: 'comment', target_id: remark.id, action: 'remove' });
  await until('it has expired', async () => (await status(human, id)) === 'expired');
  assertProblem(await content(human, id), 'gone');
});

test('410 gone, or a broken connection: an export that is deleted while it is read', async () => {
  const human = await server.register();
  for (let n = 0; n < 3; n += 1) await upload(server, human, 'image', pngOfLength(4 * 1024 * 1024));
  const { id, byte_size: size } = await readyExport(server, human);
  const response = await fetch(server.baseUrl + path(id), {
    headers: { authorization: `Bearer ${human.token}` },
  });
  assert.equal(response.headers.get('content-length'), String(size));
  // What is not there any more is an error, and never a shorter archive.
  const more = await openArchive(server.services, keyOf(id), { start: 0, end: size });
  await assert.rejects(buffer(more), /deleted while it was sent/);
  await server.db.transaction((tx) =>
    tx.run(sql`delete from export_parts where bucket = ${bucketOf(id)} and export_id = ${id}`),
  );
  const began = performance.now();
  // Pieces that are known already are sent; what follows is missing.
  const bytes = await response.arrayBuffer().then(
    (all) => all.byteLength,
    () => 'broken',
  );
  assert.ok(bytes === 'broken' || bytes === size, String(bytes));
  assert.ok(performance.now() - began < 8_000, 'the connection is closed at once');
  assertProblem(await content(human, id), 'gone');
});

test('bytes that are refused before they are read leave no file of the store open', async () => {
  const human = await server.register();
  await upload(server, human, 'image', pngOfLength(4 * 1024 * 1024));
  const { id, byte_size: size } = await readyExport(server, human);
  const opened: Readable[] = [];
  const store: Pick<MediaStore, 'open'> = {
    open: async (name, span) => {
      const file = await server.services.store.open(name, span);
      if (file !== undefined) opened.push(file);
      return file;
    },
  };
  // Its middle is that of the image.
  const span = { start: size >> 1, end: size - 1 };
  const refused = await openArchive({ db: server.db, store }, keyOf(id), span);
  assert.equal(opened.length, 1);
  refused.destroy();
  await until('the file is closed', () => opened.every(({ closed }) => closed));
});
