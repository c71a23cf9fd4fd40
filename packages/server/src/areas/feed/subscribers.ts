// Keeps the feed up to date: the trending scores, the supporters and the topics of articles.
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { yieldAfterPieces } from '#lib/pieces';
import { namedTopicsOf, topicMetadata } from '#lib/slug';
import type {
  ArticleChanged,
  ArticleErased,
  CommentChanged,
  Delivered,
  EdgeChanged,
  FollowChanged,
  Subscriber,
  SubscriberServices,
} from '#outbox';
import { countArticles, listArticlesAfter } from '#reindex';
import {
  deleteTrends,
  findKeptTopics,
  findOwners,
  findListedArticles,
  listFollowedFor,
  listAccounts,
  listLinked,
  listLinking,
  listStaleTrends,
  listSupported,
  lockTrends,
  setTrends,
} from './queries/index.ts';
import type { KeptTopic, ListedArticle, Support, Trend } from './queries/index.ts';
import { followDays } from './rules/trending.ts';
import { articlesOf } from '#outbox';
import type { Rebuilding } from '#reindex';
import { weighCommenters } from './service/commenters.ts';
import { countAll, followedSince, trendOf, weigh } from './service/supporters.ts';
import { retopic } from './service/topics.ts';

const linksAtOnce = 100;

interface Placed {
  readonly key: RowKey;
  readonly trend: Trend | undefined;
  readonly article: ListedArticle;
}

/**
 * Counts the supporters of articles whose rows are new, or of all. An article that was just published has
 * no supporters: only articles that may have some are counted one by one.
 */
async function countNew(tx: Tx, articles: readonly Placed[], recount: boolean): Promise<void> {
  const fresh = articles.filter(({ trend }) => recount || (trend?.points ?? null) === null);
  if (fresh.length === 0) return;
  const supported = await listSupported(
    tx,
    fresh.map(({ key, article }) => ({ ...key, followed: followedSince(article) })),
  );
  const [counted, bare] = [true, false].map((is) =>
    fresh.filter(({ key }) => supported.has(key.id) === is),
  ) as [Placed[], Placed[]];
  if (bare.length > 0)
    void setTrends(
      tx,
      bare.map(({ key, article }) => ({ ...key, ...trendOf(0, article) })),
    );
  for (const { key, article } of counted) await countAll(tx, key, article);
}

/** Updates articles that were counted before and whose publication date has changed. */
function redate(tx: Tx, articles: readonly Placed[]): void {
  const moved = articles.flatMap(({ key, trend, article }) => {
    const points = trend?.points ?? null;
    if (points === null || trend?.published_at === article.published_at) return [];
    return [{ ...key, ...trendOf(points, article) }];
  });
  if (moved.length > 0) void setTrends(tx, moved);
}

/** Returns the topics in each article's metadata; it yields to the event loop between pieces of work. */
async function wantedTopics(articles: readonly Placed[]) {
  const wanted = new Map<string, KeptTopic[]>();
  const yieldIfDue = yieldAfterPieces();
  for (const { key, article } of articles) {
    const { metadata, published_at } = article;
    const topics = namedTopicsOf(topicMetadata(metadata));
    wanted.set(
      key.id,
      topics.map((topic) => ({ ...topic, published_at })),
    );
    await yieldIfDue(metadata.length);
  }
  return wanted;
}

/**
 * Updates the rows of articles, counts the supporters of new ones, and sets the topics, which are locked
 * last.
 */
async function placeArticles(tx: Tx, keys: readonly RowKey[], recount: boolean): Promise<void> {
  const [trends, byId, kept] = await Promise.all([
    lockTrends(tx, keys),
    findListedArticles(tx, keys),
    findKeptTopics(tx, keys),
  ]);
  const gone = keys.filter(({ id }) => !byId.has(id));
  if (gone.length > 0) void deleteTrends(tx, gone);
  const listed = keys.flatMap((key) => {
    const article = byId.get(key.id);
    return article === undefined ? [] : [{ key, trend: trends.get(key.id), article }];
  });
  if (!recount) redate(tx, listed);
  await countNew(tx, listed, recount);
  const wanted = await wantedTopics(listed);
  retopic(
    tx,
    keys.map((key) => ({
      key,
      kept: kept.get(key.id) ?? [],
      wanted: wanted.get(key.id) ?? [],
    })),
  );
}

/** Brings the trends and topics of articles up to date with their present state. */
export async function placeInFeed(
  keys: readonly RowKey[],
  { db }: Pick<SubscriberServices, 'db'>,
): Promise<void> {
  await db.transaction((tx) => placeArticles(tx, keys, false));
}

/** Weighs each article in its own transaction, so that only one article's row is locked at a time. */
async function weighAll(
  ids: readonly string[],
  one: Support,
  { db }: SubscriberServices,
): Promise<void> {
  for (const id of ids) await db.transaction((tx) => weigh(tx, keyOf(id), one));
}

async function ownerOf(id: string, { db }: SubscriberServices): Promise<string> {
  return (await findOwners(db, [id])).get(id) ?? id;
}

/**
 * Weighs the targets of an article's links again, because links count only while their article is listed.
 */
async function weighLinks(key: RowKey, services: SubscriberServices): Promise<void> {
  let after = '';
  let owner: string | undefined;
  for (;;) {
    const { authorId, ids } = await listLinked(services.db, key, { after, limit: linksAtOnce });
    if (authorId === undefined) return;
    owner ??= await ownerOf(authorId, services);
    await weighAll(ids, { kind: 'link', owner_id: owner }, services);
    if (ids.length < linksAtOnce) return;
    after = ids.at(-1) ?? after;
  }
}

/** Weighs each pair of person and article once: many comments of one person count as one support. */
async function weighComments(
  messages: readonly Delivered<CommentChanged>[],
  { db }: SubscriberServices,
): Promise<void> {
  const pairs = new Map(
    messages.map(({ payload }) => [`${payload.article_id} ${payload.owner_id}`, payload]),
  );
  await db.transaction((tx) => weighCommenters(tx, [...pairs.values()]));
}

const onArticleChanged: Subscriber<ArticleChanged> = {
  type: 'article.changed',
  name: 'placeInFeed',
  run: (message, services) => placeInFeed(articlesOf([message]), services),
  many: {
    atOnce: 50,
    run: (messages, services) => placeInFeed(articlesOf(messages), services),
  },
};

const onArticleErased: Subscriber<ArticleErased> = {
  type: 'article.erased',
  name: 'placeInFeed',
  run: (message, services) => placeInFeed(articlesOf([message]), services),
};

const onSourceChanged: Subscriber<ArticleChanged> = {
  type: 'article.changed',
  name: 'weighLinks',
  priority: 'background',
  run: ({ payload }, services) => weighLinks(keyOf(payload.article_id), services),
  many: {
    atOnce: 100,
    run: async (messages, services) => {
      // Most articles contain no links: one query excludes them.
      const linking = await listLinking(services.db, articlesOf(messages));
      for (const key of linking) await weighLinks(key, services);
    },
  },
};

const onCommentChanged: Subscriber<CommentChanged> = {
  type: 'comment.changed',
  name: 'weighComment',
  priority: 'background',
  run: (message, services) => weighComments([message], services),
  many: { atOnce: 50, run: weighComments },
};

const onEdgeChanged: Subscriber<EdgeChanged> = {
  type: 'edge.changed',
  name: 'weighLink',
  priority: 'background',
  run: async ({ payload }, services) => {
    const owner_id = await ownerOf(payload.author_id, services);
    await weighAll([payload.dst_article_id], { kind: 'link', owner_id }, services);
  },
};

const onFollowChanged: Subscriber<FollowChanged> = {
  type: 'follow.changed',
  name: 'weighFollow',
  priority: 'background',
  run: async ({ payload }, services) => {
    const { followee_id: followee, follower_id: follower } = payload;
    const ownerId = await ownerOf(follower, services);
    const accounts = await listAccounts(services.db, ownerId);
    const who = { ownerId, accounts, days: followDays };
    const ids = await listFollowedFor(services.db, followee, who);
    await weighAll(ids, { kind: 'follow', owner_id: ownerId }, services);
  },
};

export const feedSubscribers = [
  onArticleChanged,
  onArticleErased,
  onSourceChanged,
  onCommentChanged,
  onEdgeChanged,
  onFollowChanged,
] as readonly Subscriber[];

export const rebuildingFeed: Rebuilding = {
  name: 'feed',
  version: 2,
  count: countArticles,
  next: listArticlesAfter,
  stale: listStaleTrends,
  rebuild: (id, { db }) => db.transaction((tx) => placeArticles(tx, [keyOf(id)], true)),
};
