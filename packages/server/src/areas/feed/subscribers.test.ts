// The components of an article's score, as comments, links and follows change through the API.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, keyOf, newId } from '#lib/id';
import type { Subscriber } from '#outbox';
import { createAgent } from '#test/agents';
import { closeAccount, untilTreated } from '#test/closing';
import { comment, setArticleStatus } from '#test/comments';
import { link } from '#test/edges';
import { countedOf, untilPlaced, publishedAt } from '#test/feeds';
import { untilWaiting } from '#test/blocked-by-lock';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { quiet } from '#test/throw-away-database';
import { scoreOf } from './rules/trending.ts';
import { feedSubscribers, placeInFeed, rebuildingFeed } from './subscribers.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let author: Human;
let ann: Human;
let ben: Human;
before(async () => {
  [author, ann, ben] = [await server.register(), await server.register(), await server.register()];
});

const services = () => ({ db: server.db, log: quiet, now: () => new Date() });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const remove = async (path: string, { token }: Human) =>
  assert.equal((await server.ask('DELETE', path, { token })).status, 204);
const follow = async ({ token }: Human, { id }: Human) => {
  const asked = { token, body: { principal_id: id } };
  assert.equal((await server.ask('POST', '/v1/follows', asked)).status, 201);
};

/**
 * Points and supporters of an article after the pipeline is done; asserts that the score matches the
 * points.
 */
async function countPoints(
  id: string,
): Promise<readonly [points: number, ...supporters: string[]]> {
  await untilPlaced(server);
  const found = await countedOf(server, id);
  assert.ok(found, 'it has a place');
  const { body } = await server.ask('GET', `/v1/articles/${id}`);
  assert.equal(found.score, scoreOf(found.points, body.published_at));
  return [found.points, ...found.supporters];
}

test('comments: one point for each person, whichever of their agents writes, and however much', async () => {
  const { id } = await server.published(author);
  assert.deepEqual(await countPoints(id), [0]);
  const agents = [await createAgent(server, ann), await createAgent(server, ann)];
  const made = [];
  for (const one of [ann, ...agents, ann]) made.push(await comment(server, one, id));
  assert.deepEqual(await countPoints(id), [1, `comment ${ann.id}`]);
  await comment(server, ben, id);
  const both = [`comment ${ann.id}`, `comment ${ben.id}`].toSorted();
  assert.deepEqual(await countPoints(id), [2, ...both]);
  for (const [at, one] of [ann, ...agents].entries())
    await remove(`/v1/comments/${made[at].id}`, one);
  assert.deepEqual(await countPoints(id), [2, ...both]);
  await remove(`/v1/comments/${made[3].id}`, ann);
  assert.deepEqual(await countPoints(id), [1, `comment ${ben.id}`]);
});

test('the author, the author’s owner and the owner’s other agents give nothing', async () => {
  const [agent, other] = [await createAgent(server, author), await createAgent(server, author)];
  const { id } = await server.published(agent);
  for (const one of [agent, author, other]) await comment(server, one, id);
  await follow(author, agent);
  await follow(other, agent);
  await link(server, author, [await server.published(author), { id }]);
  assert.deepEqual(await countPoints(id), [0]);
});

test('a comment that is hidden takes its point back, and gives it again when it is restored', async () => {
  const { id } = await server.published(author);
  const moderator = await aModerator(server);
  const { id: commentId } = await comment(server, ann, id);
  const input = { target_type: 'comment', target_id: commentId } as const;
  assert.deepEqual(await countPoints(id), [1, `comment ${ann.id}`]);
  await act(server, moderator, { ...input, action: 'hide' });
  assert.deepEqual(await countPoints(id), [0]);
  await act(server, moderator, { ...input, action: 'restore' });
  assert.deepEqual(await countPoints(id), [1, `comment ${ann.id}`]);
  await act(server, moderator, { ...input, action: 'remove' });
  assert.deepEqual(await countPoints(id), [0]);
});

test('links: two points while one of them comes from an article that is listed', async () => {
  const { id } = await server.published(author);
  const [draft, shown] = [await server.draft(ann), await server.published(ann)];
  await link(server, ann, [draft, { id }]);
  assert.deepEqual(await countPoints(id), [0]);
  const publish = { token: ann.token, key: true as const, body: {} };
  await server.ask('POST', `/v1/articles/${draft.id}/publish`, publish);
  assert.deepEqual(await countPoints(id), [2, `link ${ann.id}`]);
  const edge = await link(server, ann, [shown, { id }]);
  assert.deepEqual(await countPoints(id), [2, `link ${ann.id}`]);
  const setVisibility = (visibility: string) =>
    server.ask('PATCH', `/v1/articles/${draft.id}`, { token: ann.token, body: { visibility } });
  await setVisibility('unlisted');
  assert.deepEqual(await countPoints(id), [2, `link ${ann.id}`]);
  await remove(`/v1/edges/${edge.id}`, ann);
  assert.deepEqual(await countPoints(id), [0]);
  await setVisibility('public');
  assert.deepEqual(await countPoints(id), [2, `link ${ann.id}`]);
  await remove(`/v1/articles/${draft.id}`, ann);
  assert.deepEqual(await countPoints(id), [0]);
});

test('follows: a point for what the author had published in the seven days before', async () => {
  const writer = await server.register();
  const [old, recent] = [
    await publishedAt(server, writer, daysAgo(8)),
    await publishedAt(server, writer, daysAgo(6)),
  ];
  const agent = await createAgent(server, ann);
  await follow(ann, writer);
  await follow(agent, writer);
  const later = await server.published(writer);
  assert.deepEqual(await countPoints(old), [0]);
  assert.deepEqual(await countPoints(recent), [1, `follow ${ann.id}`]);
  assert.deepEqual(await countPoints(later.id), [0]);
  await remove(`/v1/follows/${writer.id}`, ann);
  assert.deepEqual(await countPoints(recent), [1, `follow ${ann.id}`]);
  await remove(`/v1/follows/${writer.id}`, agent);
  assert.deepEqual(await countPoints(recent), [0]);
  await follow(ann, writer);
  assert.deepEqual(await countPoints(later.id), [1, `follow ${ann.id}`]);
});

test('an article that is listed no more has no place; when it comes back, everybody counts again', async () => {
  const { id } = await server.published(author);
  await comment(server, ann, id);
  await link(server, ben, [await server.published(ben), { id }]);
  const all = [3, `comment ${ann.id}`, `link ${ben.id}`];
  assert.deepEqual(await countPoints(id), all);
  const setVisibility = async (visibility: string) => {
    const asked = { token: author.token, body: { visibility } };
    assert.equal((await server.ask('PATCH', `/v1/articles/${id}`, asked)).status, 200);
    await untilPlaced(server);
  };
  await setVisibility('unlisted');
  assert.equal(await countedOf(server, id), undefined);
  const cem = await server.register();
  await comment(server, cem, id);
  await untilPlaced(server);
  assert.equal(await countedOf(server, id), undefined);
  await setVisibility('public');
  const [points, ...supporters] = await countPoints(id);
  assert.equal(points, 4);
  assert.deepEqual(
    supporters.toSorted(),
    [...all.slice(1), `comment ${cem.id}`].map(String).toSorted(),
  );
  await remove(`/v1/articles/${id}`, author);
  await untilPlaced(server);
  assert.equal(await countedOf(server, id), undefined);
});

test('a closed account: what stays visible counts on, follows go, erased comments and unpublished sources too', async () => {
  const { id } = await server.published(author);
  const leavers = {
    pseudonymise: await server.register(),
    unpublish: await server.register(),
    erase: await server.register(),
  };
  for (const one of Object.values(leavers)) {
    await comment(server, one, id);
    await link(server, one, [await server.published(one), { id }]);
    await follow(one, author);
  }
  assert.equal((await countPoints(id))[0], 12);
  for (const [treatment, one] of Object.entries(leavers)) {
    assert.equal((await closeAccount(server, one, treatment)).status, 200);
    await untilTreated(server, one.id);
  }
  const { pseudonymise, unpublish } = leavers;
  const [points, ...supporters] = await countPoints(id);
  assert.equal(points, 4);
  assert.deepEqual(
    supporters.toSorted(),
    [`comment ${pseudonymise.id}`, `link ${pseudonymise.id}`, `comment ${unpublish.id}`].toSorted(),
  );
});

/** Runs all subscribers that the pipeline would run for an article, any number of times. */
function runsOf(articleId: string, people: readonly Human[]): readonly (() => Promise<void>)[] {
  const bucket = bucketOf(articleId);
  const said = { bucket, id: newId(bucket), created_at: new Date().toISOString() };
  const payload = (one: Human) => ({
    article_id: articleId,
    dst_article_id: articleId,
    comment_id: '',
    author_id: one.id,
    owner_id: one.id,
    followee_id: author.id,
    follower_id: one.id,
  });
  return feedSubscribers.flatMap((subscriber: Subscriber) =>
    people.map(
      (one) => () =>
        subscriber.run(
          { ...said, type: subscriber.type, payload: payload(one) } as never,
          services(),
        ),
    ),
  );
}

test('subscribers run twice, at once and in any order end in the same count as a recount', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => server.register()));
  const { id } = await server.published(author);
  const comments = await Promise.all(people.map((one) => comment(server, one, id)));
  const links = await Promise.all(
    people.map(async (one) => link(server, one, [await server.published(one), { id }])),
  );
  const shuffled = () =>
    [...runsOf(id, people), ...runsOf(id, people)].toSorted(() => Math.random() - 0.5);
  const running = shuffled().map((run) => run());
  for (const [at, one] of people.entries()) {
    if (at % 2 === 0) await remove(`/v1/comments/${comments[at].id}`, one);
    if (at % 3 === 0) await remove(`/v1/edges/${links[at].id}`, one);
  }
  await Promise.all(running);
  await Promise.all(shuffled().map((run) => run()));
  const before = await countPoints(id);
  assert.equal(before[0], 3 + 2 * 4);
  await rebuildingFeed.rebuild(id, services());
  assert.deepEqual(await countPoints(id), before);
});

test('an older run that has locked the row makes a newer one wait, and the newer one wins', async () => {
  const { id } = await server.published(author);
  await untilPlaced(server);
  const [key, now] = [keyOf(id), new Date()];
  const made = newId(key.bucket, now.getTime());
  const { lockTrend, listSupport, setSupporters } = await import('./queries/index.ts');
  const release = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const older = server.db.transaction(async (tx) => {
    await lockTrend(tx, key);
    const followed = {
      authorId: author.id,
      from: now.toISOString(),
      to: now.toISOString(),
      earliestId: '',
      latestId: '',
    };
    const rows = await listSupport(tx, key, { kind: 'comment', followed, among: undefined });
    assert.deepEqual(rows, []);
    holding.resolve();
    await release.promise;
    await setSupporters(tx, key, []);
  });
  await holding.promise;
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into comments (bucket, id, article_id, depth, author_id, content, created_at)
      values (${key.bucket}, ${made}, ${id}, 0, ${ann.id}, 'Text', ${now.toISOString()})`),
  );
  const weighComment = feedSubscribers.find(({ name }) => name === 'weighComment');
  const payload = { article_id: id, comment_id: made, author_id: ann.id, owner_id: ann.id };
  const message = { bucket: key.bucket, id: made, created_at: now.toISOString() };
  const newer = weighComment?.run(
    { ...message, type: 'comment.changed', payload } as never,
    services(),
  );
  await untilWaiting(server, 1, 'article_trends');
  release.resolve();
  await Promise.all([older, newer]);
  assert.deepEqual(await countPoints(id), [1, `comment ${ann.id}`]);
});

test('an article that does not exist, or is not listed, leaves nothing behind', async () => {
  const nowhere = newId(7);
  await placeInFeed([{ bucket: 7, id: nowhere }], services());
  assert.equal(await countedOf(server, nowhere), undefined);
  const { id } = await server.published(author);
  await untilPlaced(server);
  await setArticleStatus(server, id, 'hidden');
  await Promise.all(runsOf(id, [ann]).map((run) => run()));
  assert.equal(await countedOf(server, id), undefined);
});
