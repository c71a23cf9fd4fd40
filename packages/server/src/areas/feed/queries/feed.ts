// Lists of the feed: ids only, each list read in the order of its index.
// Visibility is checked here, and again where the articles are shown.
import { atMost, justFirst, nothing, sql, takesLong } from '#database';
import type { Db, Statement } from '#database';
import { bucketOf } from '#lib/id';
import type { DatePlace } from '#lib/list-cursor';

/** A position after the article of this score and id. */
export interface ScorePlace {
  readonly score: number;
  readonly id: string;
  /**
   * In a filtered feed, the newest date on its first page; newer articles are not ranked. Otherwise null.
   */
  readonly asOf: string | null;
}

export interface FeedFilters {
  readonly authorId?: string | undefined;
  readonly topic?: string | undefined;
  readonly language?: string | undefined;
  readonly disclosure?: string | undefined;
  readonly authorKind?: string | undefined;
  readonly signed?: boolean | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface FeedPage<P> {
  readonly filters: FeedFilters;
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

function when(value: unknown, condition: () => Statement): Statement {
  return value === undefined ? nothing : condition();
}

/** Returns the conditions on `articles a`, which must be listed. */
function conditions(filters: FeedFilters): Statement {
  const { authorId, topic, language, disclosure, authorKind, signed, since, until } = filters;
  return sql`${when(
    authorId,
    () => sql`
      and a.author_id = ${authorId}`,
  )}${when(
    topic,
    () => sql`
      and exists (
        select from article_topics at
        where at.bucket = a.bucket and at.article_id = a.id and at.topic = ${topic}
      )`,
  )}${when(
    language,
    () => sql`
      and a.language = ${language}`,
  )}${when(
    disclosure,
    () => sql`
      and a.disclosure = ${disclosure}`,
  )}${when(
    authorKind,
    () => sql`
      and a.author_kind = ${authorKind}`,
  )}${when(signed, () =>
    signed
      ? sql`
      and a.signed`
      : sql`
      and not a.signed`,
  )}${when(
    since,
    () => sql`
      and a.published_at >= ${since}`,
  )}${when(
    until,
    () => sql`
      and a.published_at < ${until}`,
  )}`;
}

function afterDate(place: DatePlace | undefined): Statement {
  if (place === undefined) return nothing;
  return sql`
      and (a.published_at, a.id) < (${place.published_at}, ${place.id})`;
}

/** Returns the `select` of the newest `limit` listed articles that match the filters. */
function newest(filters: FeedFilters, place: Statement, limit: Statement): Statement {
  return sql`
    -- every bucket: the feed is over all authors
    select a.bucket, a.id, a.published_at
    from articles a
    where a.listed${place}${conditions(filters)}
    order by a.published_at desc, a.id desc
    ${limit}`;
}

/**
 * Joins the article of a row of another table, if it is listed and matches the filters. The lateral join
 * looks up row by row, so that the other table's order is kept. With a plain join the planner expects few
 * matches and joins whole tables.
 */
function articleOf(other: Statement, filters: FeedFilters): Statement {
  return sql`cross join lateral (
      select a.bucket, a.id
      from articles a
      where a.bucket = ${other}.bucket
        and a.id = ${other}.article_id
        and a.listed${conditions(filters)}
      limit 1
    ) as article`;
}

/**
 * The newest articles of a topic, by the topic's own index in the order of dates. Not used with an author
 * filter: the articles of an author are fewer.
 */
function newestOfTopic(filters: FeedFilters, after: DatePlace | undefined, limit: Statement) {
  const { topic, since, until, ...others } = filters;
  return sql`
    -- every bucket: the articles of a topic live anywhere
    select article.bucket, article.id, t.published_at
    from article_topics t
    ${articleOf(sql`t`, others)}
    where t.topic = ${topic}${when(
      since,
      () => sql`
      and t.published_at >= ${since}`,
    )}${when(
      until,
      () => sql`
      and t.published_at < ${until}`,
    )}${when(
      after,
      () => sql`
      and (t.published_at, t.article_id) < (${after?.published_at}, ${after?.id})`,
    )}
    order by t.published_at desc, t.article_id desc
    ${limit}`;
}

function newestAfter(
  filters: FeedFilters,
  after: DatePlace | undefined,
  limit: Statement,
): Statement {
  const byTopic = filters.topic !== undefined && filters.authorId === undefined;
  return byTopic ? newestOfTopic(filters, after, limit) : newest(filters, afterDate(after), limit);
}

export function listLatest(db: Db, page: FeedPage<DatePlace>): Promise<readonly DatedRow[]> {
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
  page: FeedPage<DatePlace>,
): Promise<readonly DatedRow[]> {
  const limit = atMost(page.limit + 1);
  const place = afterDate(page.after);
  const of = (author: Statement, count: Statement) =>
    newest(
      page.filters,
      sql`
      and a.author_id = ${author}${place}`,
      count,
    );
  return db.rows(sql<DatedRow>`
    -- every bucket: those who are followed live anywhere
    with followed as materialized (
      select followee_id
      from follows
      where bucket = ${bucketOf(followerId)} and follower_id = ${followerId}
      order by follow_id desc
      ${justFirst(page.among)}
    ), first as materialized (
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
    ${limit}`);
}

function afterScore(place: ScorePlace | undefined): Statement {
  if (place === undefined) return nothing;
  return sql`
      and (t.score, t.article_id) < (${place.score}::double precision, ${place.id})`;
}

/** Sorts after every id, so that every article of a date comes before it. */
const lastId = '~';

function listBest(db: Db, { after, limit }: FeedPage<ScorePlace>): Promise<readonly ScoredRow[]> {
  return db.rows(sql<ScoredRow>`
    -- every bucket: the feed is over all authors
    select t.article_id as id, t.score, null as as_of
    from article_trends t
    ${articleOf(sql`t`, {})}
    where true${afterScore(after)}
    order by t.score desc, t.article_id desc
    ${atMost(limit + 1)}`);
}

/**
 * Returns the articles with the highest scores. With a filter, it ranks only the newest articles that
 * match: walking down the scores until enough match would read everything for a rare filter. Later pages
 * rank the same articles.
 */
export function listTrending(db: Db, page: FeedPage<ScorePlace>): Promise<readonly ScoredRow[]> {
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
    where true${afterScore(after)}
    order by t.score desc, t.article_id desc
    ${atMost(limit + 1)}`),
  );
}
