// Lists of the feed: ids only, each list read in the order of its index.
// Visibility is checked here, and again where the articles are shown.
import { articleConditions } from '#articles';
import type { ArticleFilters } from '#articles';
import { atMost, whenGiven, justFirst, orOverServers, sql, takesLong } from '#database';
import type { Condition, Db, Statement } from '#database';
import { bucketOf } from '#lib/id';
import type { DatePosition } from '#lib/list-cursor';

/** A position after the article of this score and id. */
export interface ScorePosition {
  readonly score: number;
  readonly id: string;
  /**
   * In a filtered feed, the newest date on its first page; newer articles are not ranked. Otherwise null.
   */
  readonly asOf: string | null;
}

export interface FeedPage<P> {
  readonly filters: ArticleFilters;
  readonly after: P | undefined;
  readonly limit: number;
  /** The maximum number of followed authors, or of filtered articles, that the statement considers. */
  readonly among: number;
}

export interface DatedRow {
  readonly id: string;
  readonly published_at: string;
}

export interface ScoredRow {
  readonly id: string;
  readonly score: number;
  /** In a filtered feed, the newest date that is ranked. */
  readonly as_of: string | null;
}

function conditions({ authorId, ...others }: ArticleFilters): readonly Condition[] {
  return [
    whenGiven(authorId, (id) => sql`a.author_id = ${id}`),
    ...articleConditions(others, sql`a.published_at`),
  ];
}

function afterDate(place: DatePosition | undefined): Condition {
  return whenGiven(
    place,
    ({ published_at, id }) => sql`(a.published_at, a.id) < (${published_at}, ${id})`,
  );
}

/** Returns the `select` of the newest `limit` listed articles that match the filters. */
function newest(filters: ArticleFilters, among: readonly Condition[], limit: Statement): Statement {
  return sql`
    -- every bucket: the feed is over all authors
    select a.bucket, a.id, a.published_at
    from articles a
    ${sql.where([sql`a.listed`, ...among, ...conditions(filters)])}
    order by a.published_at desc, a.id desc
    ${limit}`;
}

/**
 * Joins the article of a row of another table, if it is listed and matches the filters. The lateral join
 * looks up row by row, so that the other table's order is kept. With a plain join the planner expects few
 * matches and joins whole tables.
 */
function articleOf(other: Statement, filters: ArticleFilters): Statement {
  return sql`cross join lateral (
      select a.bucket, a.id
      from articles a
      ${sql.where([
        sql`a.bucket = ${other}.bucket`,
        sql`a.id = ${other}.article_id`,
        sql`a.listed`,
        ...conditions(filters),
      ])}
      limit 1
    ) as article`;
}

/**
 * The newest articles of a topic, by the topic's own index in the order of dates. Not used with an author
 * filter: the articles of an author are fewer.
 */
function newestOfTopic(filters: ArticleFilters, after: DatePosition | undefined, limit: Statement) {
  const { topic, since, until, ...others } = filters;
  return sql`
    -- every bucket: the articles of a topic live anywhere
    select article.bucket, article.id, t.published_at
    from article_topics t
    ${articleOf(sql`t`, others)}
    ${sql.where([
      sql`t.topic = ${topic}`,
      whenGiven(since, (time) => sql`t.published_at >= ${time}`),
      whenGiven(until, (time) => sql`t.published_at < ${time}`),
      whenGiven(
        after,
        ({ published_at, id }) => sql`(t.published_at, t.article_id) < (${published_at}, ${id})`,
      ),
    ])}
    order by t.published_at desc, t.article_id desc
    ${limit}`;
}

function newestAfter(
  filters: ArticleFilters,
  after: DatePosition | undefined,
  limit: Statement,
): Statement {
  const byTopic = filters.topic !== undefined && filters.authorId === undefined;
  return byTopic
    ? newestOfTopic(filters, after, limit)
    : newest(filters, [afterDate(after)], limit);
}

export function listLatest(db: Db, page: FeedPage<DatePosition>): Promise<readonly DatedRow[]> {
  return db.rows(sql<DatedRow>`
    -- every bucket: the feed is over all authors
    select latest.id, latest.published_at
    from (${newestAfter(page.filters, page.after, atMost(page.limit + 1))}
    ) as latest
    order by latest.published_at desc, latest.id desc`);
}

/**
 * Returns articles of followed authors. The articles on a page belong to authors whose newest article is
 * among the first of all authors. Each author therefore costs one index lookup, and the statement reads
 * further articles only for as many authors as fit on a page.
 */
export function listFollowed(
  db: Db,
  followerId: string,
  page: FeedPage<DatePosition>,
): Promise<readonly DatedRow[]> {
  const limit = atMost(page.limit + 1);
  const place = afterDate(page.after);
  const of = (author: Statement, count: Statement) =>
    newest(page.filters, [sql`a.author_id = ${author}`, place], count);
  const followed = sql`followed as materialized (
      select followee_id
      from follows
      where bucket = ${bucketOf(followerId)} and follower_id = ${followerId}
      order by follow_id desc
      ${justFirst(page.among)}
    )`;
  const one = sql<DatedRow>`
    -- every bucket: those who are followed live anywhere
    with ${followed}, first as materialized (
      select followed.followee_id
      from followed
      cross join lateral (${of(sql`followed.followee_id`, justFirst(1))}
      ) as newest
      order by newest.published_at desc, newest.id desc
      ${limit}
    )
    select newest.id, newest.published_at
    from first
    cross join lateral (${of(sql`first.followee_id`, limit)}
    ) as newest
    order by newest.published_at desc, newest.id desc
    ${limit}`;
  const ofFollowed = sql`a.author_id in (select followee_id from followed)`;
  const overServers = () => sql<DatedRow>`
    -- every bucket: those who are followed live anywhere
    with ${followed}
    select newest.id, newest.published_at
    from (${newest(page.filters, [ofFollowed, place], limit)}
    ) as newest
    order by newest.published_at desc, newest.id desc`;
  return db.rows(orOverServers(one, overServers));
}

function afterScore(place: ScorePosition | undefined): Condition {
  return whenGiven(
    place,
    ({ score, id }) => sql`(t.score, t.article_id) < (${score}::double precision, ${id})`,
  );
}

/** Sorts after every id, so that every article of a date comes before it. */
const lastId = '~';

function listBest(
  db: Db,
  { after, limit }: FeedPage<ScorePosition>,
): Promise<readonly ScoredRow[]> {
  return db.rows(sql<ScoredRow>`
    -- every bucket: the feed is over all authors
    select t.article_id as id, t.score, null as as_of
    from article_trends t
    ${articleOf(sql`t`, {})}
    ${sql.where([afterScore(after)])}
    order by t.score desc, t.article_id desc
    ${atMost(limit + 1)}`);
}

/**
 * Returns the articles with the highest scores. With a filter, it ranks only the newest articles that
 * match: walking down the scores until enough match would read everything for a rare filter. Later pages
 * rank the same articles.
 */
export function listTrending(db: Db, page: FeedPage<ScorePosition>): Promise<readonly ScoredRow[]> {
  const { filters, after, limit } = page;
  if (Object.values(filters).every((value) => value === undefined)) return listBest(db, page);
  const asOf = after?.asOf ?? undefined;
  const from = asOf === undefined ? undefined : { published_at: asOf, id: lastId };
  return db.rows(
    takesLong(sql<ScoredRow>`
    -- every bucket: the feed is over all authors
    with ranked as materialized (${newestAfter(filters, from, justFirst(page.among))}
    )
    select t.article_id as id, t.score,
      (select max(published_at) from ranked) as as_of
    from ranked
    join article_trends t on t.bucket = ranked.bucket and t.article_id = ranked.id
    ${sql.where([afterScore(after)])}
    order by t.score desc, t.article_id desc
    ${atMost(limit + 1)}`),
  );
}
