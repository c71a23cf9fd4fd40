// Exports in the background: built in steps that continue, taken back, expired and swept.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from '#database';
import type { Database } from '#database';
import { bucketOf } from '#lib/id';
import type { Delivered, ExportRequested } from '#outbox';
import type { MediaStore } from '#storage';
import { createAgent } from '#test/agents';
import { closeAccount } from '#test/closing';
import { download, extractFiles, readRecord, readyExport, requestExport } from '#test/exports';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { untilWaiting } from '#test/blocked-by-lock';
import { comment } from '#test/comments';
import { pngOf, upload } from '#test/media-files';
import { act } from '#test/moderators';
import { moderator } from '#test/reports';
import { poisonRow } from '#test/poisoned-rows';
import { addsTrigger } from '#test/citus/one-server';
import { quiet, until } from '#test/throw-away-database';
import { invalidate } from './service/end-exports.ts';
import { exportSubscribers, sweepOverdue, sweepPieces } from './subscribers.ts';

// Nothing runs by itself: the tests run the subscribers.
const server = await startServer({ ROLE: 'web' });
const working = await startServer();
after(async () => {
  await server[Symbol.asyncDispose]();
  await working[Symbol.asyncDispose]();
});

const { db, services } = server;

async function pieces({ services: { store } }: typeof server, bucket: number): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list(bucket, 'export')) names.push(name);
  return names;
}

/** Builds an export, with a store of its own in place of the server's. */
async function build(
  id: string,
  store: MediaStore = services.store,
  reads: Database = db,
): Promise<void> {
  const [onRequested] = exportSubscribers({ ...services, store });
  const message: Delivered<ExportRequested> = {
    id,
    bucket: bucketOf(id),
    type: 'export.requested',
    payload: { export_id: id },
    created_at: new Date().toISOString(),
  };
  await onRequested?.run(message, { db: reads, log: quiet, now: () => new Date() });
}

async function withDrafts(count: number): Promise<Human> {
  const human = await server.register();
  for (let n = 0; n < count; n += 1) await server.draft(human, { title: `Draft ${n}` });
  return human;
}

/** A store that fails after some writes, as when the process is killed. */
function failingAfter(writes: number): MediaStore {
  let left = writes;
  return {
    ...services.store,
    put: (incoming) => {
      left -= 1;
      if (left < 0) throw new Error('The store is gone.');
      return services.store.put(incoming);
    },
  };
}

test('a run that fails at any write is continued, and each article is in the archive once', async () => {
  const human = await withDrafts(4);
  for (const writes of [0, 3, 4, 6, 7, 8]) {
    const { id } = (await requestExport(server, human)).body;
    await assert.rejects(build(id, failingAfter(writes)), /The store is gone/);
    assert.notEqual((await readRecord(server, human, id)).status, 'ready');
    await build(id);
    const record = await readRecord(server, human, id);
    assert.deepEqual([record.status, record.counts.articles], ['ready', 4], `${writes} writes`);
    const files = await extractFiles(await download(server, human, id));
    assert.equal([...files.keys()].filter((path) => path.startsWith('articles/')).length, 4);
  }
});

test('two runs at once make one archive, and what the second wrote is deleted', async () => {
  const human = await withDrafts(3);
  const { id } = (await requestExport(server, human)).body;
  await Promise.all([build(id), build(id), build(id)]);
  const files = await extractFiles(await download(server, human, id));
  assert.equal([...files.keys()].filter((path) => path.startsWith('articles/')).length, 3);
  const named = await db.rows(sql<{ name: string }>`
    select name from export_parts where bucket = ${bucketOf(id)} and export_id = ${id}`);
  const freed = await db.rows(sql<{ payload: { names: string[] } }>`
    select payload from outbox where bucket = ${bucketOf(id)} and type = 'bytes.freed'`);
  const known = [
    ...named.map(({ name }) => name),
    ...freed.flatMap(({ payload }) => payload.names),
  ];
  assert.deepEqual((await pieces(server, bucketOf(id))).toSorted(), known.toSorted());
});

test('a revision that is created while articles are read is among the revisions', async () => {
  const human = await server.register();
  const { id: article, revision_id: first } = await server.draft(human);
  const { id } = (await requestExport(server, human)).body;
  let created = false;
  const others: Promise<unknown>[] = [];
  const rows: Database['rows'] = async (statement) => {
    if (!created && statement.text.includes('coalesce(a.published_revision_id')) {
      created = true;
      // What is read besides the articles, if anything, is read before the revision.
      await setImmediate();
      await Promise.all(others);
      const body = { content: 'The next revision.', expected_revision_id: first };
      const to = `/v1/articles/${article}/revisions`;
      const answer = await server.ask('POST', to, { token: human.token, key: true, body });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
    }
    const read = db.rows(statement);
    others.push(read);
    return read;
  };
  await build(id, services.store, { ...db, rows });
  const files = await extractFiles(await download(server, human, id));
  const made = JSON.parse(String(files.get(`data/articles/${article}.json`)));
  const ids = made.revisions.map((one: { revision_id: string }) => one.revision_id);
  assert.ok(created && ids.includes(made.article.revision_id), ids.join());
});

test('an article that is erased while the archive is made is not in it', async () => {
  const human = await withDrafts(2);
  const { id: erased } = await server.draft(human, { title: 'Erased', content: 'Forget me.' });
  const { id } = (await requestExport(server, human)).body;
  // The articles are in the archive, its end is not.
  await assert.rejects(build(id, failingAfter(7)));
  const body = { confirm: 'erase' };
  const path = `/v1/articles/${erased}/erase`;
  await server.ask('POST', path, { token: human.token, key: true, body });
  await build(id);
  await build(id);
  const record = await readRecord(server, human, id);
  assert.equal(record.status, 'ready');
  for (const [name, bytes] of await extractFiles(await download(server, human, id)))
    assert.ok(!bytes.includes('Forget me.') && !bytes.includes('Erased'), name);
});

/** Lets time pass for an export. */
async function age(id: string, column: 'expires_at' | 'stepped_at', days: number): Promise<void> {
  const { bucket } = { bucket: bucketOf(id) };
  const at = new Date(Date.now() - days * 86_400_000).toISOString();
  await db.transaction((tx) =>
    column === 'expires_at'
      ? tx.run(sql`update exports set expires_at = ${at} where bucket = ${bucket} and id = ${id}`)
      : tx.run(sql`update exports set stepped_at = ${at} where bucket = ${bucket} and id = ${id}`),
  );
}

const clock = { db, now: () => new Date() };

test('an archive expires, and its record is forgotten a month later', async () => {
  const human = await withDrafts(1);
  const { id } = (await requestExport(server, human)).body;
  await build(id);
  await age(id, 'expires_at', 1);
  assert.equal(await sweepOverdue(clock), 1);
  const record = await readRecord(server, human, id);
  assert.equal(record.status, 'expired');
  assert.match(record.reason, /7 days/);
  assert.equal(await sweepOverdue(clock), 0);
  await age(id, 'expires_at', 31);
  assert.equal(await sweepOverdue(clock), 1);
  assert.deepEqual((await server.ask('GET', '/v1/exports', { token: human.token })).body.items, []);
});

async function overdueExport() {
  const human = await withDrafts(1);
  const id: string = (await requestExport(server, human)).body.id;
  await age(id, 'stepped_at', 4);
  return { human, id };
}

test('an export that makes no step for three days fails, and another one may begin', async () => {
  const { human, id } = await overdueExport();
  assert.equal(await sweepOverdue(clock), 1);
  assert.equal((await readRecord(server, human, id)).status, 'failed');
  assert.equal((await requestExport(server, human)).status, 201);
});

test('an export whose row refuses changes holds back no other', addsTrigger, async () => {
  const stuck = await overdueExport();
  const others = [await overdueExport(), await overdueExport(), await overdueExport()];
  {
    await using _poison = await poisonRow(server, 'exports', stuck.id);
    await assert.rejects(sweepOverdue(clock), /poisoned/);
  }
  for (const { human, id } of others)
    assert.equal((await readRecord(server, human, id)).status, 'failed');
  assert.equal(await sweepOverdue(clock), 1);
});

test('an export that makes a step while it is swept is not ended', async () => {
  const { human, id } = await overdueExport();
  const swept = await db.transaction(async (tx) => {
    await tx.run(sql`
      update exports set steps = steps + 1, stepped_at = now()
      where bucket = ${bucketOf(id)} and id = ${id}`);
    const sweep = sweepOverdue(clock);
    await untilWaiting(server, 1);
    return { sweep };
  });
  await swept.sweep;
  assert.equal((await readRecord(server, human, id)).status, 'queued');
});

test('pieces to which no part refers are deleted when they are old', async () => {
  const human = await withDrafts(1);
  const { id } = (await requestExport(server, human)).body;
  await build(id);
  const bucket = bucketOf(id);
  const known = await pieces(server, bucket);
  await services.store.put({
    bucket,
    use: 'export',
    length: 1,
    chunks: (async function* one() {
      yield Buffer.from('x');
    })(),
  });
  assert.equal(await sweepPieces(bucket, services.store, clock), 0);
  const later = { db, now: () => new Date(Date.now() + 3 * 3_600_000) };
  // The lists of the last step are freed by a message, which nothing handles here.
  assert.ok((await sweepPieces(bucket, services.store, later)) >= 1);
  const left = await pieces(server, bucket);
  assert.ok(left.length > 0 && left.every((name) => known.includes(name)));
  await extractFiles(await download(server, human, id));
});

test('closing an account deletes its exports and those of its agents', async () => {
  const human = await working.register();
  const agent = await createAgent(working, human);
  await readyExport(working, human);
  await readyExport(working, agent);
  const bucket = bucketOf(human.id);
  await closeAccount(working, human, 'pseudonymise');
  await until('nothing is left', async () => {
    const rows = await working.db.rows(
      sql<{ id: string }>`select id from exports where bucket = ${bucket}`,
    );
    return rows.length === 0 && (await pieces(working, bucket)).length === 0;
  });
});

test('410 for an archive with a file whose removal is dated before the export and was committed after it', async () => {
  const human = await server.register();
  const { id: media } = (await upload(server, human, 'image', pngOf(8, 8))).body;
  const { id } = (await requestExport(server, human)).body;
  await build(id, services.store);
  await download(server, human, id);
  // As a transaction leaves it that waited for a lock since before the export began.
  await server.db.transaction((tx) =>
    tx.run(sql`
      update media
      set status = 'removed', removed_at = now() - interval '1 minute'
      where bucket = ${bucketOf(media)} and id = ${media}`),
  );
  const answer = await server.ask('GET', `/v1/exports/${id}/content`, { token: human.token });
  assertProblem(answer, 'gone');
});

test('a comment that is removed, restored and removed again takes back exports twice: the messages differ', async () => {
  const human = await server.register();
  const { id } = await comment(server, human, (await server.published(human)).id);
  const by = await moderator(server);
  for (const action of ['remove', 'restore', 'remove'] as const)
    await act(server, by, { target_type: 'comment', target_id: id, action });
  const rows = await db.rows(sql<{ payload: { readonly comment_id: string } }>`
    select payload
    from outbox
    where bucket = ${bucketOf(human.id)} and type = 'comment.deleted'`);
  const own = rows.filter(({ payload }) => payload.comment_id === id);
  assert.equal(own.length, 2);
  assert.notDeepEqual(own[0], own[1]);
});

test('an export that waits is not failed by removals, however many', async () => {
  const human = await server.register();
  const { id } = (await requestExport(server, human)).body;
  for (let round = 0; round < 8; round += 1)
    await invalidate(db, { bucket: bucketOf(id), id }, new Date());
  assert.equal((await readRecord(server, human, id)).status, 'queued');
  await build(id, services.store);
  assert.equal((await readRecord(server, human, id)).status, 'ready');
});
