// A person's way through the service with the client: register, draft, revise, publish, be read, remove.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient, isProblem } from '@colophon/sdk';
import { freshName, startServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { until } from '../throw-away-database.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

async function newcomer() {
  const visitor = createClient({ baseUrl: server.baseUrl });
  const registered = await visitor.registerHuman({ username: freshName() });
  return {
    visitor,
    registered,
    client: createClient({ baseUrl: server.baseUrl, token: registered.token }),
  };
}

test('from registration to a published article that anybody reads, and its removal', async () => {
  const { visitor, registered, client } = await newcomer();
  const me = await client.readMe();
  assert.equal(me.principal.id, registered.id);

  const draft = await client.createArticle({
    title: 'First',
    content: 'One.',
    metadata: { topics: ['Open Science'] },
  });
  await assert.rejects(visitor.readArticle({ id: draft.id }), (error) =>
    isProblem(error, 'not-found'),
  );

  const revised = await client.createRevision({
    id: draft.id,
    content: 'One and two.',
    if_match: draft.revision_id,
  });
  assert.equal(revised.unchanged, false);
  const publication = await client.publishArticle({
    id: draft.id,
    revision_id: revised.revision_id,
  });
  const article = await visitor.readArticle({ id: draft.id });
  assert.equal(article.content, 'One and two.');
  assert.equal(article.revision_id, publication.revision_id);
  assert.equal(article.author.username, registered.username);
  assert.equal(article.trust, 'untrusted');

  await until(
    'it is indexed',
    async () => (await visitor.readProcessing({ id: draft.id })).search_indexed,
  );
  // Topics are a subscriber of their own, before or after search.
  await until('the topic lists it', async () => {
    const rows = await visitor.listArticles({ topic: 'open-science' });
    return rows.items.length > 0;
  });
  const listed = [];
  for await (const item of visitor.each.listArticles({ topic: 'open-science' }))
    listed.push(item.id);
  assert.deepEqual(listed, [draft.id]);

  await client.deleteArticle({ id: draft.id });
  await assert.rejects(visitor.readArticle({ id: draft.id }), (error) => isProblem(error, 'gone'));
  await until('the topic has forgotten it', async () => {
    const rows = await visitor.listArticles({ topic: 'open-science' });
    return rows.items.length === 0;
  });
});

test('two writers on one revision: one wins, the other is told what is current and rebuilds', async () => {
  const { client } = await newcomer();
  const draft = await client.createArticle({ title: 'Shared', content: 'Base.' });
  const outcomes = await Promise.allSettled(
    ['left', 'right'].map((side) =>
      client.createRevision({
        id: draft.id,
        content: `Base, ${side}.`,
        if_match: draft.revision_id,
      }),
    ),
  );
  const lost = outcomes.find((outcome) => outcome.status === 'rejected');
  assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
  assert.ok(isProblem(lost?.reason, 'precondition-failed'));
  const current = String(lost.reason.problem['current_revision_id']);
  const rebuilt = await client.createRevision({
    id: draft.id,
    content: 'Base, left and right.',
    if_match: current,
  });
  const revisions = [];
  for await (const revision of client.each.listRevisions({ id: draft.id, limit: 1 }))
    revisions.push(revision);
  assert.deepEqual(
    revisions.map((revision) => revision.revision_id),
    [rebuilt.revision_id, current, draft.revision_id],
  );
  assert.deepEqual(
    revisions.map((revision) => revision.previous_revision_id),
    [current, draft.revision_id, null],
  );
});

test('a token that may only draft cannot publish', async () => {
  const { registered, client } = await newcomer();
  const issued = await client.issueToken({
    principal_id: registered.id,
    name: 'drafts only',
    scopes: ['articles:write'],
  });
  const drafter = createClient({ baseUrl: server.baseUrl, token: issued.token ?? '' });
  const draft = await drafter.createArticle({ title: 'Prepared', content: 'By a careful tool.' });
  await assert.rejects(drafter.publishArticle({ id: draft.id }), (error) =>
    isProblem(error, 'insufficient-scope'),
  );
  await client.publishArticle({ id: draft.id });
  await client.revokeToken({ id: issued.id });
  await assert.rejects(drafter.readMe(), (error) => isProblem(error, 'unauthenticated'));
});
