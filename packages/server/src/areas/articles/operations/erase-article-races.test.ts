// POST /v1/articles/{id}/erase over HTTP during concurrent writes: no text remains, and others lose none.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { untilWaiting } from '#test/blocked-by-lock';
import { effort } from '#test/effort';
import { startServer } from '#test/harness';
import type { Asked, Human } from '#test/harness';
import { assertGone } from '#test/problem-checks';

// Without a pipeline: a job of it that waits for a lock would be counted as the request.
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const erase = (human: Human, id: string) =>
  server.ask('POST', `/v1/articles/${id}/erase`, {
    token: human.token,
    body: { confirm: 'erase' },
  });
const read = (id: string, human: Human) =>
  server.ask('GET', `/v1/articles/${id}`, { token: human.token });
const revise = (human: Human, id: string, asked: Asked) =>
  server.ask('POST', `/v1/articles/${id}/revisions`, { token: human.token, key: true, ...asked });

const revisionsOf = (id: string) =>
  server.db.rows(sql<{ content_hash: string; held_hash: string | null }>`
    select content_hash, held_hash
    from revisions
    where bucket = ${bucketOf(id)} and article_id = ${id}
    order by id`);

async function contentsLeft(bucket: number, hashes: readonly string[]): Promise<number> {
  const row = await server.db.first(sql<{ count: number }>`
    select count(*)::integer as count
    from contents
    where bucket = ${bucket} and hash = any(${hashes})`);
  return row?.count ?? 0;
}

for (const deletes of ['after', 'before'] as const) {
  test(`201 for a text whose erasure deletes it ${deletes} the caller reads it: it is stored again`, async () => {
    const human = await server.register();
    const text = { title: `Deleted ${deletes}`, content: 'A text in between.' };
    const old = await server.published(human, text);
    const place = { bucket: bucketOf(old.id), hash: old.content_hash as string };
    const made = await server.db.transaction(async (tx) => {
      await tx.run(sql`
        update revisions
        set erased = true
        where bucket = ${place.bucket} and article_id = ${old.id}`);
      await tx.run(sql`
        select hash
        from contents
        where bucket = ${place.bucket} and hash = ${place.hash}
        for update`);
      const remove = () =>
        tx.run(sql`delete from contents where bucket = ${place.bucket} and hash = ${place.hash}`);
      if (deletes === 'before') assert.equal(await remove(), 1);
      const asked = server.ask('POST', '/v1/articles', {
        token: human.token,
        key: true,
        body: text,
      });
      await untilWaiting(server, 1);
      if (deletes === 'after') assert.equal(await remove(), 1);
      return { asked };
    });
    const { status, body } = await made.asked;
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.content_hash, place.hash);
    assert.equal((await read(body.id, human)).body.content, text.content);
  });
}

test('200 while others store the same text: it is never lost to them', async () => {
  const human = await server.register();
  for (let round = 0; round < effort(10, 25); round += 1) {
    const text = { title: 'A race', content: `The text of round ${round}.` };
    const old = await server.published(human, text);
    const revised = await server.draft(human);
    const make = { token: human.token, key: true as const, body: text };
    const [erased, made, revision] = await Promise.all([
      erase(human, old.id),
      server.ask('POST', '/v1/articles', make),
      revise(human, revised.id, { body: { ...text, expected_revision_id: revised.revision_id } }),
    ]);
    assert.equal(erased.status, 200);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal(revision.status, 201, JSON.stringify(revision.body));
    for (const id of [made.body.id, revised.id])
      assert.equal((await read(id, human)).body.content, text.content);
    assert.equal(made.body.content_hash, old.content_hash);
  }
});

test('200 while the author revises and publishes: a later request gets 410, no text is left', async () => {
  const human = await server.register();
  for (let round = 0; round < effort(5, 10); round += 1) {
    const { id, revision_id } = await server.draft(human);
    const body = { content: `Later, ${round}.`, expected_revision_id: revision_id };
    const [erased, ...others] = await Promise.all([
      erase(human, id),
      revise(human, id, { body }),
      server.ask('POST', `/v1/articles/${id}/publish`, { token: human.token, key: true, body: {} }),
    ]);
    assert.equal(erased.status, 200);
    for (const other of others) if (other.status >= 400) assertGone(other);
    assertGone(await read(id, human));
    const left = await revisionsOf(id);
    assert.ok(left.every((row) => row.held_hash === null));
    const hashes = left
      .map((row) => row.content_hash)
      .filter((hash) => hash !== left[0]?.content_hash);
    assert.equal(await contentsLeft(bucketOf(id), hashes), 0);
  }
});
