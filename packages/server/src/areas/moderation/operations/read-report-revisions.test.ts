// GET /v1/moderation/reports/{id} over HTTP: what readers saw when an article was reported, and what they see now.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { comment, setArticleStatus } from '#test/comments';
import { startServer } from '#test/harness';
import type { Response } from '#test/harness';
import { act } from '#test/moderators';
import { moderator, read, report } from '#test/reports';
import { revisedArticle, show } from '#test/revised-articles';
import type { Revised } from '#test/revised-articles';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const mod = await moderator(server);

type Target = Response['body'];

async function targetOf(reportId: string): Promise<Target> {
  const { status, body } = await read(server, mod, reportId);
  assert.equal(status, 200, JSON.stringify(body));
  return body.target;
}

const seenIn = (target: Target) => [
  target.published_revision_id,
  target.reported_revision_id,
  target.changed_since,
  target.reported_content,
  target.content,
];

const reportOn = ({ id: target_id }: Pick<Revised, 'id'>) => report(server, { target_id });

test('200 with the reported revision and its text after the author has published another', async () => {
  const article = await revisedArticle(server);
  const { first, second } = article;
  const id = await reportOn(article);
  assert.deepEqual(seenIn(await targetOf(id)), [first, first, false, null, 'VERSION ONE']);
  await show(server, article, second);
  const target = await targetOf(id);
  assert.deepEqual(seenIn(target), [second, first, true, 'VERSION ONE', 'VERSION TWO']);
  assert.equal(target.reported_title, 'Title one');
  const later = await reportOn(article);
  assert.deepEqual(seenIn(await targetOf(later)), [second, second, false, null, 'VERSION TWO']);
});

test('200 with the revision that readers saw, even if it had been published before', async () => {
  const article = await revisedArticle(server);
  const { first, second } = article;
  await show(server, article, second);
  await show(server, article, first);
  const id = await reportOn(article);
  assert.deepEqual(seenIn(await targetOf(id)), [first, first, false, null, 'VERSION ONE']);
  await show(server, article, second);
  assert.deepEqual(seenIn(await targetOf(id)), [second, first, true, 'VERSION ONE', 'VERSION TWO']);
  await show(server, article, first);
  assert.deepEqual(seenIn(await targetOf(id)), [first, first, false, null, 'VERSION ONE']);
});

test('200 with the revision that readers saw, even if a newer one had been published before it', async () => {
  const author = await server.register();
  const draft = await server.draft(author, { title: 'Title', content: 'VERSION ONE' });
  const made = await server.ask('POST', `/v1/articles/${draft.id}/revisions`, {
    token: author.token,
    key: true,
    body: { content: 'VERSION TWO', expected_revision_id: draft.revision_id },
  });
  const article = { author, id: draft.id as string };
  const [first, second] = [draft.revision_id as string, made.body.revision_id as string];
  const before = await reportOn(article);
  assert.deepEqual(seenIn(await targetOf(before)), [null, null, false, null, 'VERSION TWO']);
  await show(server, article, second);
  await show(server, article, first);
  const id = await reportOn(article);
  await show(server, article, second);
  assert.deepEqual(seenIn(await targetOf(id)), [second, first, true, 'VERSION ONE', 'VERSION TWO']);
  assert.deepEqual(seenIn(await targetOf(before)), [second, null, true, null, 'VERSION TWO']);
});

test('200 with the revision that readers saw, even if the request that published it began earlier', async () => {
  const article = await revisedArticle(server);
  const { first, second } = article;
  await show(server, article, second);
  // As if the clock of the other request had been ahead by a second.
  await server.db.transaction(async (tx) => {
    const at = new Date(Date.now() + 1000).toISOString();
    const bucket = bucketOf(article.id);
    await tx.run(sql`
      update articles
      set updated_at = ${at}
      where bucket = ${bucket} and id = ${article.id}`);
    await tx.run(sql`
      update revisions
      set published_at = ${at}
      where bucket = ${bucket} and article_id = ${article.id} and id = ${second}`);
  });
  await show(server, article, first);
  const id = await reportOn(article);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update reports
      set created_at = ${new Date(Date.now() + 2_000).toISOString()}
      where bucket = ${bucketOf(id)} and id = ${id}`),
  );
  assert.deepEqual(seenIn(await targetOf(id)), [first, first, false, null, 'VERSION ONE']);
});

test('200 with both texts, whatever moderators did to the article, and with none once it is erased', async () => {
  const article = await revisedArticle(server);
  const { author, id: target_id, first, second } = article;
  const id = await reportOn(article);
  await show(server, article, second);
  const both = [second, first, true, 'VERSION ONE', 'VERSION TWO'];
  for (const status of ['hidden', 'removed', 'published'] as const) {
    await setArticleStatus(server, target_id, status);
    assert.deepEqual(seenIn(await targetOf(id)), both, status);
  }
  const target = { target_type: 'article', target_id } as const;
  await act(server, mod, { ...target, action: 'remove', source: 'legal' });
  assert.deepEqual(seenIn(await targetOf(id)), both);
  const asked = { token: author.token, body: { confirm: 'erase' } };
  await server.ask('POST', `/v1/articles/${target_id}/erase`, asked);
  assert.deepEqual(seenIn(await targetOf(id)), [second, first, true, null, null]);
});

test('200 with no revisions of what has none', async () => {
  const { author, id: article } = await revisedArticle(server);
  const { id: target_id } = await comment(server, author, article);
  for (const on of [
    { target_type: 'comment', target_id },
    { target_type: 'principal', target_id: author.id },
    {},
  ]) {
    const target = await targetOf(await report(server, on));
    assert.deepEqual(seenIn(target).slice(0, 4), [null, null, false, null]);
  }
});
