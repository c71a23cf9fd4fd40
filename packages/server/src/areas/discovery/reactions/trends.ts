// Keeps the feed true: an article's place in what trends, who supports it, and its topics.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import { namedTopicsOf } from '#lib/slug';
import type {
  ArticleChanged,
  ArticleErased,
  CommentChanged,
  EdgeChanged,
  FollowChanged,
  Reaction,
  ReactionServices,
} from '#outbox';
import {
  countArticles,
  deleteSupporter,
  deleteTrend,
  existsSupporter,
  findOwners,
  findStanding,
  insertSupporter,
  listArticlesAfter,
  listFollowedFor,
  listHands,
  listKeptTopics,
  listLinked,
  listListedAmong,
  listStaleTrends,
  listSupport,
  lockTrend,
  setSupporters,
  setTrend,
} from '../queries/index.ts';
import type {
  Among,
  ArticleKey,
  Standing,
  Support,
  Supporting,
  SupportKind,
} from '../queries/index.ts';
import {
  distinctSupport,
  followDays,
  followSpan,
  pointsOf,
  scoreOf,
  supportKinds,
  weights,
} from '../rules/trending.ts';
import type { Rebuilding } from './rebuilding.ts';
import { retopic } from './topics.ts';

const linksAtOnce = 100;

const keyOf = (id: string): ArticleKey => ({ bucket: bucketOf(id), id });

function trendOf(points: number, { published_at }: Standing) {
  return { points, published_at, score: scoreOf(points, published_at) };
}

interface Asked {
  readonly kind: SupportKind;
  readonly among: Among;
}

/** Who supports the article in one way; a link counts while everybody can find where it comes from. */
async function supporting(
  tx: Tx,
  key: ArticleKey,
  standing: Standing,
  { kind, among }: Asked,
): Promise<readonly Supporting[]> {
  const followed = { authorId: standing.author_id, ...followSpan(standing.published_at) };
  const rows = await listSupport(tx, key, { kind, followed, among });
  if (kind !== 'link') return rows;
  const sources = rows.flatMap(({ source_id: id }) => id ?? []);
  const listed = new Set(await listListedAmong(tx, sources));
  return rows.filter(({ source_id: id }) => id !== null && listed.has(id));
}

/** Counts an article's supporters from what they did. */
async function countAll(tx: Tx, key: ArticleKey, standing: Standing): Promise<void> {
  const found = await Promise.all(
    supportKinds.map(async (kind) => {
      const rows = await supporting(tx, key, standing, { kind, among: undefined });
      const owners = await findOwners(tx, [...new Set(rows.map((row) => row.principal_id))]);
      return rows.map(({ principal_id: id }) => ({ kind, owner_id: owners.get(id) ?? id }));
    }),
  );
  const support = distinctSupport(found.flat(), standing.owner_id);
  void setSupporters(tx, key, support);
  void setTrend(tx, key, trendOf(pointsOf(support), standing));
}

/**
 * Makes true whether one person supports an article in one way. The article's row is held first, and what
 * was done is read by later statements, so that an older run never overwrites a newer one. Costs the same
 * however many others there are.
 */
async function weigh(tx: Tx, key: ArticleKey, one: Support): Promise<void> {
  const [trend, standing, hands] = await Promise.all([
    lockTrend(tx, key),
    findStanding(tx, key),
    listHands(tx, one.owner_id),
  ]);
  if (standing === undefined) return void deleteTrend(tx, key);
  const points = trend?.points ?? null;
  if (points === null) return countAll(tx, key, standing);
  const [before, rows] = await Promise.all([
    existsSupporter(tx, key, one),
    supporting(tx, key, standing, { kind: one.kind, among: hands }),
  ]);
  const after = rows.length > 0 && one.owner_id !== standing.owner_id;
  if (before === after) return;
  void (after ? insertSupporter(tx, key, one) : deleteSupporter(tx, key, one));
  const weight = after ? weights[one.kind] : -weights[one.kind];
  void setTrend(tx, key, trendOf(points + weight, standing));
}

/** An article's row, whose supporters are counted where there was none, and its topics, held last and shortest. */
async function place(tx: Tx, key: ArticleKey, recount: boolean): Promise<void> {
  const [trend, standing, kept] = await Promise.all([
    lockTrend(tx, key),
    findStanding(tx, key),
    listKeptTopics(tx, key),
  ]);
  if (standing === undefined) {
    void deleteTrend(tx, key);
    return retopic(tx, key, kept, []);
  }
  const points = trend?.points ?? null;
  const { published_at } = standing;
  if (recount || points === null) await countAll(tx, key, standing);
  else if (trend?.published_at !== published_at) void setTrend(tx, key, trendOf(points, standing));
  const topics = namedTopicsOf(standing.metadata);
  retopic(
    tx,
    key,
    kept,
    topics.map((topic) => ({ ...topic, published_at })),
  );
}

/** Makes an article's place in the feed and its topics what its present state asks for. */
export async function placeInFeed(key: ArticleKey, { db }: ReactionServices): Promise<void> {
  await db.transaction((tx) => place(tx, key, false));
}

/** Each in a transaction of its own: one article's row is held at a time. */
async function weighAll(
  ids: readonly string[],
  one: Support,
  { db }: ReactionServices,
): Promise<void> {
  for (const id of ids) await db.transaction((tx) => weigh(tx, keyOf(id), one));
}

async function ownerOf(id: string, { db }: ReactionServices): Promise<string> {
  return (await findOwners(db, [id])).get(id) ?? id;
}

/** An article that comes or goes does so with its links. */
async function weighLinks(key: ArticleKey, services: ReactionServices): Promise<void> {
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

const onArticleChanged: Reaction<ArticleChanged> = {
  type: 'article.changed',
  name: 'placeInFeed',
  run: ({ payload }, services) => placeInFeed(keyOf(payload.article_id), services),
};

const onArticleErased: Reaction<ArticleErased> = {
  type: 'article.erased',
  name: 'placeInFeed',
  run: ({ payload }, services) => placeInFeed(keyOf(payload.article_id), services),
};

const onSourceChanged: Reaction<ArticleChanged> = {
  type: 'article.changed',
  name: 'weighLinks',
  patient: true,
  run: ({ payload }, services) => weighLinks(keyOf(payload.article_id), services),
};

const onCommentChanged: Reaction<CommentChanged> = {
  type: 'comment.changed',
  name: 'weighComment',
  run: ({ payload }, services) =>
    weighAll([payload.article_id], { kind: 'comment', owner_id: payload.owner_id }, services),
};

const onEdgeChanged: Reaction<EdgeChanged> = {
  type: 'edge.changed',
  name: 'weighLink',
  run: async ({ payload }, services) => {
    const owner_id = await ownerOf(payload.author_id, services);
    await weighAll([payload.dst_article_id], { kind: 'link', owner_id }, services);
  },
};

const onFollowChanged: Reaction<FollowChanged> = {
  type: 'follow.changed',
  name: 'weighFollow',
  run: async ({ payload }, services) => {
    const { followee_id: followee, follower_id: follower } = payload;
    const ownerId = await ownerOf(follower, services);
    const hands = await listHands(services.db, ownerId);
    const who = { ownerId, hands, days: followDays };
    const ids = await listFollowedFor(services.db, followee, who);
    await weighAll(ids, { kind: 'follow', owner_id: ownerId }, services);
  },
};

export const feedReactions = [
  onArticleChanged,
  onArticleErased,
  onSourceChanged,
  onCommentChanged,
  onEdgeChanged,
  onFollowChanged,
] as readonly Reaction[];

export const rebuildingFeed: Rebuilding = {
  name: 'feed',
  version: 1,
  count: countArticles,
  next: listArticlesAfter,
  stale: listStaleTrends,
  rebuild: (id, { db }) => db.transaction((tx) => place(tx, keyOf(id), true)),
};
