// Search documents of comments on a real PostgreSQL, as comments change.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, keyOf, newId } from '#lib/id';
import { comment, moderate } from '#test/comments';
import { untilWaiting } from '#test/blocked-by-lock';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { lockVisible, setCommentDocuments } from '../queries/comment-documents.ts';
import { configurations } from '../rules/index-tags.ts';
import {
  commentSubscribers,
  indexComment,
  rebuildingComments,
  reindexCommentsOf,
} from './comments.ts';

let server: TestServer;
let ann: Human;
let article: string;

before(async () => {
  server = await startServer({ ROLE: 'web' });
  ann = await server.register();
  article = (await server.published(ann, { language: 'en' })).id;
});

after(() => server[Symbol.asyncDispose]());

const index = (id: string) => indexComment(id, server.services);

async function documentOf(id: string): Promise<string | undefined> {
  const row = await server.db.first(sql<{ document: string }>`
    select document::text
    from comment_search
    where bucket = ${bucketOf(id)} and comment_id = ${id}`);
  return row?.document;
}

test('a comment is indexed by its text, stemmed in the language of its article', async () => {
  const { id } = await comment(server, ann, article, { content: 'They were *jumping*' });
  await index(id);
  assert.equal(await documentOf(id), "'jump':3");
  const german = (await server.published(ann, { language: 'de' })).id;
  const other = await comment(server, ann, german, { content: 'Häuser' });
  await index(other.id);
  assert.equal(await documentOf(other.id), "'haus':1");
});

test('what is written without spaces is indexed by its pairs of characters', async () => {
  const { id } = await comment(server, ann, article, { content: 'see 北京大学' });
  await index(id);
  for (const pair of ['北京', '京大', '大学'])
    assert.match((await documentOf(id)) ?? '', new RegExp(`'${pair}'`));
});

test('again, it changes nothing', async () => {
  const { id } = await comment(server, ann, article);
  await index(id);
  const row = sql<{ indexed_at: string }>`
    select indexed_at
    from comment_search
    where bucket = ${bucketOf(id)} and comment_id = ${id}`;
  const first = await server.db.first(row);
  await index(id);
  assert.deepEqual(await server.db.first(row), first);
});

test('a comment that is hidden, removed or deleted leaves, and comes back when it is restored', async () => {
  const { id } = await comment(server, ann, article, { content: 'walrus' });
  await index(id);
  for (const status of ['hidden', 'removed'] as const) {
    await moderate(server, id, { status });
    await index(id);
    assert.equal(await documentOf(id), undefined, status);
    await moderate(server, id, { status: 'visible' });
    await index(id);
    assert.ok(await documentOf(id), status);
  }
  await server.ask('DELETE', `/v1/comments/${id}`, { token: ann.token });
  await index(id);
  assert.equal(await documentOf(id), undefined);
});

test('the comments of a job are indexed together, also those of several buckets', async () => {
  const articles = await Promise.all(
    ['en', 'de', 'en'].map(async (language) => {
      const author = await server.register();
      return (await server.published(author, { language })).id;
    }),
  );
  const made = await Promise.all(
    articles.flatMap((on, place) =>
      ['Häuser', 'jumping'].map(async (word) => {
        const { id } = await comment(server, ann, on, { content: `${word} ${place}` });
        return { id, on, word: place === 1 && word === 'Häuser' ? 'haus' : undefined };
      }),
    ),
  );
  const [, hidden] = made;
  assert.ok(hidden);
  await index(hidden.id);
  assert.ok(await documentOf(hidden.id));
  await moderate(server, hidden.id, { status: 'hidden' });
  const messages = made.map(({ id, on }) => ({
    type: 'comment.changed' as const,
    bucket: bucketOf(id),
    id,
    created_at: new Date().toISOString(),
    payload: { article_id: on, comment_id: id, author_id: ann.id, owner_id: ann.id },
  }));
  const [subscriber] = commentSubscribers;
  await subscriber?.many?.run(messages, server.services);
  for (const { id, word } of made) {
    const document = await documentOf(id);
    assert.equal(document !== undefined, id !== hidden.id, id);
    if (word !== undefined) assert.match(document ?? '', new RegExp(`'${word}':1`));
  }
});

test('a comment that does not exist leaves nothing behind', async () => {
  const id = newId(7);
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into comment_search (bucket, comment_id, by_agent, configuration, document, indexed_at)
      values (7, ${id}, false, 'simple', '', now())`),
  );
  assert.ok((await rebuildingComments.stale(server.db, '', 10)).includes(id));
  await index(id);
  assert.equal(await documentOf(id), undefined);
});

test('runs at once while the comment is hidden and shown end in its last state', async () => {
  for (const last of ['visible', 'hidden'] as const) {
    const { id } = await comment(server, ann, article);
    const runs: Promise<void>[] = [];
    for (let round = 0; round < 20; round += 1) {
      runs.push(index(id));
      await moderate(server, id, { status: round % 2 === 0 ? 'hidden' : 'visible' });
      runs.push(index(id));
    }
    await moderate(server, id, { status: last });
    runs.push(index(id), index(id));
    await Promise.all(runs);
    assert.equal((await documentOf(id)) !== undefined, last === 'visible', last);
  }
});

test('hiding a comment waits for a run that saw it visible', async () => {
  const { id } = await comment(server, ann, article);
  const holding = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const older = server.db.transaction(async (tx) => {
    const locked = await lockVisible(tx, { bucket: bucketOf(id), ids: [id] });
    assert.equal(locked.has(id), true);
    holding.resolve();
    await release.promise;
    await tx.run(sql`
      insert into comment_search (bucket, comment_id, by_agent, configuration, document, indexed_at)
      values (${bucketOf(id)}, ${id}, false, 'simple', '', now())`);
  });
  await holding.promise;
  let done = false;
  const hiding = moderate(server, id, { status: 'hidden' }).then(async () => {
    done = true;
    await index(id);
  });
  await untilWaiting(server, 1, 'update %comments');
  assert.equal(done, false);
  release.resolve();
  await Promise.all([older, hiding]);
  assert.equal(await documentOf(id), undefined);
});

async function setLanguage(id: string, language: string): Promise<void> {
  const { status } = await server.ask('PATCH', `/v1/articles/${id}`, {
    token: ann.token,
    body: { language },
  });
  assert.equal(status, 200);
}

/** Returns how many messages request that the comments of an article be indexed again. */
async function messagesOf(id: string, type: string): Promise<number> {
  const rows = await server.db.rows(sql<{ id: string }>`
    select id
    from outbox
    where type = ${type} and payload ->> 'article_id' = ${id}`);
  return rows.length;
}

test('the comments of an article whose language is corrected are stemmed in the new one', async () => {
  const { id } = await server.published(ann, { language: 'en' });
  const made = [];
  for (let place = 0; place < 250; place += 1)
    made.push(await comment(server, ann, id, { content: 'Häuser jumping' }));
  const gone = await comment(server, ann, id, { content: 'Häuser jumping' });
  const all = [...made, gone].map((one) => one.id);
  // As many at once as wait for a connection only briefly: on several servers each takes longer.
  for (let place = 0; place < all.length; place += 20)
    await Promise.all(all.slice(place, place + 20).map(index));
  await server.ask('DELETE', `/v1/comments/${gone.id}`, { token: ann.token });
  await index(gone.id);
  await setLanguage(id, 'en');
  assert.equal(await messagesOf(id, 'language.changed'), 0, 'it is the same language');
  await setLanguage(id, 'de');
  assert.equal(await messagesOf(id, 'language.changed'), 1);
  await reindexCommentsOf(id, server.services);
  const documents = await Promise.all(made.map((one) => documentOf(one.id)));
  assert.deepEqual([...new Set(documents)], ["'haus':1 'jumping':2"]);
  assert.equal(await documentOf(gone.id), undefined);
});

test('a run that is under way while the language changes leaves the new one', async () => {
  const { id } = await server.published(ann, { language: 'en' });
  const made = await comment(server, ann, id, { content: 'Häuser jumping' });
  const keys = { bucket: bucketOf(made.id), ids: [made.id] };
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const older = server.db.transaction(async (tx) => {
    await lockVisible(tx, keys);
    await setCommentDocuments(tx, [keyOf(made.id)], {
      configurations,
      now: new Date().toISOString(),
    });
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  await setLanguage(id, 'de');
  const reindexing = reindexCommentsOf(id, server.services);
  await untilWaiting(server, 1, 'for no key update');
  release.resolve();
  await Promise.all([older, reindexing]);
  assert.equal(await documentOf(made.id), "'haus':1 'jumping':2");
});

test('all comments are gone through, each once', async () => {
  const ids: string[] = [];
  for (;;) {
    const some = await rebuildingComments.next(server.db, ids.at(-1) ?? '', 3);
    ids.push(...some);
    if (some.length < 3) break;
  }
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(Number(await rebuildingComments.count(server.db)), ids.length);
});
