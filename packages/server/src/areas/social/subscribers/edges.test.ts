// Events for the authors who cite a changed article, and how often they are sent.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { removeLegally } from '#test/accounts';
import { createAgent } from '#test/agents';
import { eventsOf, link, untilSettled } from '#test/edges';
import type { EventRow } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { appendMessage } from '#outbox';
import { notifyCiters } from './edges.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const eventsAbout = async (human: Human): Promise<readonly EventRow[]> =>
  (await eventsOf(server, human.id)).filter(({ type }) => type === 'citation.changed');

/** Creates an article, and a person who cites it. */
async function citeArticle() {
  const [ann, bob] = [await server.register(), await server.register()];
  const article = await server.published(ann);
  const citing = await server.published(bob);
  const edge = await link(server, bob, [citing, article]);
  return { ann, bob, article, citing, edge };
}

/** Appends the message that an article changed again, and waits until it is processed. */
async function changeAgain(id: string): Promise<void> {
  const bucket = bucketOf(id);
  await server.db.transaction(async (tx) => {
    void appendMessage(tx, { bucket, type: 'article.changed', payload: { article_id: id } });
  });
  // The relay is woken by the next write, or automatically after a while.
  await server.published(await server.register());
  await untilSettled(server);
}

for (const [kind, change] of [
  ['supersedes', 'superseded'],
  ['corrects', 'corrected'],
  ['retracts', 'retracted'],
] as const) {
  test(`${kind} by the author tells who cites the article, and not the author`, async () => {
    const { ann, bob, article, citing } = await citeArticle();
    const newer = await server.published(ann);
    await link(server, ann, [newer, await server.published(ann)]);
    await link(server, ann, [newer, article]);
    const edge = await link(server, ann, [newer, article], { kind });
    await untilSettled(server);
    assert.deepEqual(await eventsAbout(bob), [
      {
        type: 'citation.changed',
        actor_principal_id: ann.id,
        subject_id: article.id,
        payload: {
          change,
          edge_id: edge.id,
          src_article_id: newer.id,
          citing_article_id: citing.id,
        },
      },
    ]);
    assert.deepEqual(await eventsAbout(ann), []);
  });
}

test('a correction by somebody else notifies only the author, as every edge does', async () => {
  const { ann, bob, article } = await citeArticle();
  const other = await server.register();
  await link(server, other, [await server.published(other), article], { kind: 'corrects' });
  await untilSettled(server);
  assert.deepEqual(await eventsAbout(bob), []);
  assert.deepEqual(await eventsAbout(ann), []);
});

test('an agent’s article that its owner retracts tells who cites it', async () => {
  const [ann, bob] = [await server.register(), await server.register()];
  const agent = await createAgent(server, ann);
  const article = await server.published(agent);
  await link(server, bob, [await server.published(bob), article]);
  await link(server, ann, [await server.published(ann), article], { kind: 'retracts' });
  await untilSettled(server);
  assert.equal((await eventsAbout(bob)).length, 1);
});

test('a removal tells who cites the article once, however often the pipeline looks', async () => {
  const { ann, bob, article, citing } = await citeArticle();
  await link(server, bob, [await server.published(bob), article], { kind: 'extends' });
  await server.ask('DELETE', `/v1/articles/${article.id as string}`, { token: ann.token });
  await untilSettled(server);
  await changeAgain(article.id);
  const events = await eventsAbout(bob);
  assert.equal(events.length, 1);
  assert.deepEqual(events[0]?.actor_principal_id, null);
  assert.equal(events[0]?.subject_id, article.id);
  assert.equal(events[0]?.payload['change'], 'removed');
  assert.ok(events[0]?.payload['citing_article_id'] !== undefined, citing.id);
  assert.deepEqual(await eventsAbout(ann), []);
});

test('a removal for legal reasons tells who cites the article', async () => {
  const { bob, article } = await citeArticle();
  await removeLegally(server, article.id);
  await changeAgain(article.id);
  assert.equal((await eventsAbout(bob)).length, 1);
});

test('the citing author is notified, from a draft, a private or an unlisted article too, and no one else learns of that', async () => {
  const { ann, bob, article } = await citeArticle();
  const citers = [];
  for (const visibility of ['draft', 'private', 'unlisted']) {
    const human = await server.register();
    const citing = await (visibility === 'draft'
      ? server.draft(human)
      : server.published(human, { visibility }));
    await link(server, human, [citing, article]);
    citers.push({ human, citing });
  }
  await link(server, ann, [await server.published(ann), article], { kind: 'retracts' });
  await untilSettled(server);
  await server.ask('DELETE', `/v1/articles/${article.id as string}`, { token: ann.token });
  await untilSettled(server);
  for (const { human, citing } of citers) {
    const events = await eventsAbout(human);
    assert.deepEqual(
      events.map(({ payload }) => payload['change']),
      ['retracted', 'removed'],
    );
    assert.ok(events.every(({ payload }) => payload['citing_article_id'] === citing.id));
  }
  const all = JSON.stringify([
    ...(await eventsOf(server, ann.id)),
    ...(await eventsOf(server, bob.id)),
  ]);
  for (const { citing } of citers) assert.ok(!all.includes(citing.id));
});

test('who took the edge back, or whose article is gone, cites no more', async () => {
  const { ann, bob, article, edge } = await citeArticle();
  const eve = await server.register();
  const eves = await server.published(eve);
  await link(server, eve, [eves, article]);
  await server.ask('DELETE', `/v1/articles/${eves.id as string}`, { token: eve.token });
  await server.ask('DELETE', `/v1/edges/${edge.id as string}`, { token: bob.token });
  await server.ask('DELETE', `/v1/articles/${article.id as string}`, { token: ann.token });
  await untilSettled(server);
  assert.deepEqual(await eventsAbout(bob), []);
  assert.deepEqual(await eventsAbout(eve), []);
});

test('an article that is erased takes the notes of its edges along, at both ends; the edges stay', async () => {
  const { ann, article } = await citeArticle();
  const source = await server.published(ann);
  const own = await server.published(ann);
  for (const end of [article, own])
    await link(server, ann, [source, end], { kind: 'extends', note: 'Words of mine.' });
  await server.db.transaction((tx) =>
    tx.run(sql`
      update articles
      set status = 'erased', removed_at = now()
      where bucket = ${bucketOf(source.id)} and id = ${source.id}`),
  );
  await changeAgain(source.id);
  const out = await server.ask('GET', `/v1/articles/${source.id as string}/edges`);
  const into = await server.ask('GET', `/v1/articles/${own.id as string}/edges?direction=in`);
  const notes = [...out.body.items, ...into.body.items].map(({ note }: { note: unknown }) => note);
  assert.deepEqual(notes, [null, null, null]);
});

test('300 who cite an article are told once each, by three runs at once', async () => {
  const { ann, bob, article, citing } = await citeArticle();
  const others = Array.from({ length: 300 }, () => newId(bucketOf(citing.id)));
  const bucket = bucketOf(article.id);
  await server.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into principals (bucket, id, kind, username, created_at)
      select ${bucketOf(bob.id)}, made.id, 'human', 'citer-' || made.id, now()
      from unnest(${others}::text[]) as made (id)`);
    await tx.run(sql`
      insert into articles (
        bucket, id, author_id, author_kind, status, visibility, language, disclosure,
        latest_revision_id, published_revision_id, published_at, created_at, updated_at
      )
      select a.bucket, made.id, made.id, 'human', a.status, a.visibility, a.language, a.disclosure,
        a.latest_revision_id, a.published_revision_id, a.published_at, a.created_at, a.updated_at
      from articles a
      cross join unnest(${others}::text[]) as made (id)
      where a.bucket = ${bucketOf(citing.id)} and a.id = ${citing.id}`);
    await tx.run(sql`
      insert into incoming_edges (
        bucket, dst_key, id, src_article_id, kind, dst_article_id, created_by_principal_id, created_at
      )
      select ${bucket}::smallint, ${article.id}::text, made.id, made.id, 'cites', ${article.id}::text,
        made.id, now()
      from unnest(${others}::text[]) as made (id)`);
  });
  const change = {
    id: newId(bucket),
    articleId: article.id as string,
    actorId: ann.id,
    except: [],
    payload: { change: 'corrected' as const },
  };
  const run = () => notifyCiters(change, { db: server.db, now: () => new Date() });
  await Promise.all([run(), run(), run()]);
  await run();
  const rows = await server.db.rows(sql<{ principal_id: string }>`
    select principal_id
    from events
    where type = 'citation.changed' and subject_id = ${article.id}
    order by principal_id`);
  assert.deepEqual(
    rows.map((row) => row.principal_id),
    [...others, bob.id].toSorted(),
  );
});
