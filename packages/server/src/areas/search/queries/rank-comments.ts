// Candidates and rank of comments: one statement.
import { justFirst, nothing, orOverServers, sql, takesLong, whenGiven } from '#database';
import type { Db, Statement } from '#database';
import { bucketOf, firstIdAt } from '#lib/id';
import type { ResolvedQuery } from '../rules/search-request.ts';

export interface RankedComment {
  readonly id: string;
  readonly score: number;
  /** The text-search configuration with which it was indexed. */
  readonly configuration: string;
}

/**
 * A common word is searched in this many of the newest comments; with enough matches the search ends there.
 */
const newest = 6_000;
const enough = 150;
/** A rare word is searched in all comments; this many of the newest matches are ranked. */
const mostRanked = 1_000;
/** With an author filter, this many of the author's newest comments are searched. */
const mostOfAuthor = 5_000;

const ofKind = ({ request }: ResolvedQuery) =>
  whenGiven(request.filters.kind, (kind) =>
    kind === 'agent' ? sql`s.by_agent` : sql`not s.by_agent`,
  );

/** An id may be younger than its comment if a clock was set back, but never older. */
const slackMs = 3_600_000;

/** Restricts ids to roughly the requested time; the exact time is compared at the end. */
function inTime(id: Statement, { request }: ResolvedQuery) {
  const { before, filters } = request;
  return [
    whenGiven(filters.since, (time) => sql`${id} >= ${firstIdAt(Date.parse(time))}`),
    whenGiven(before, (time) => sql`${id} < ${firstIdAt(Date.parse(time) + slackMs)}`),
  ];
}

/** How candidates are looked up: row by row, or by joins where each shard has only some of them. */
type Lookup = 'by row' | 'over servers';

/** One walk over the index of ids, newest first; a look-up of each comment reads its upper levels again. */
const indexedByRow = sql`from comment_search s`;
const indexedOverServers = sql`from mine
      join comment_search s on s.comment_id = mine.comment_id`;

/** Candidates of one author, from the list of the ids of the author's comments. */
function fromAuthor(query: ResolvedQuery, authorId: string, lookup: Lookup): Statement {
  const isByRow = lookup === 'by row';
  return sql`
    mine as materialized (
      select comment_id
      from comments_by_author
      ${sql.where([
        sql`bucket = ${bucketOf(authorId)} and author_id = ${authorId}`,
        ...inTime(sql`comment_id`, query),
      ])}
      order by comment_id desc
      ${justFirst(mostOfAuthor)}
    ), found as materialized (
      select s.bucket, s.comment_id
      ${isByRow ? indexedByRow : indexedOverServers}
      ${sql.where([
        isByRow ? sql`s.comment_id = any(array(select comment_id from mine))` : undefined,
        sql`s.document @@ ${query.words}::tsquery`,
        ofKind(query),
      ])}
      ${isByRow ? sql`order by s.comment_id desc` : nothing}
      ${justFirst(mostRanked)}
    )`;
}

/**
 * Candidates among all comments: a scan of the newest comments for common words, the text index for rare
 * ones. In the first case the index is not read.
 */
function fromAll(query: ResolvedQuery): Statement {
  const { words } = query;
  return sql`
    newest as materialized (
      select bucket, comment_id, by_agent, document
      from comment_search
      ${sql.where(inTime(sql`comment_id`, query))}
      order by comment_id desc
      ${justFirst(newest)}
    ), recent as materialized (
      select s.bucket, s.comment_id
      from newest s
      ${sql.where([sql`s.document @@ ${words}::tsquery`, ofKind(query)])}
      ${justFirst(mostRanked)}
    ), older as materialized (
      select s.bucket, s.comment_id
      from comment_search s
      ${sql.where([
        sql`(select count(*) from recent) < ${enough}`,
        sql`s.document @@ (select ${words}::tsquery)`,
        ofKind(query),
        ...inTime(sql`s.comment_id`, query),
      ])}
      order by s.comment_id || '' desc
      ${justFirst(mostRanked)}
    ), found as (
      select bucket, comment_id
      from recent
      union
      select bucket, comment_id
      from older
    )`;
}

const shownByRow = sql`cross join lateral (
        select bucket, comment_id, configuration, document
        from comment_search
        where bucket = found.bucket and comment_id = found.comment_id
        limit 1
      ) as s
      cross join lateral (
        select bucket, article_id, status, created_at
        from comments
        where bucket = found.bucket and id = found.comment_id
        limit 1
      ) as c
      cross join lateral (
        select listed
        from articles
        where bucket = c.bucket and id = c.article_id
        limit 1
      ) as a`;
const shownOverServers = sql`join comment_search s
        on s.bucket = found.bucket and s.comment_id = found.comment_id
      join comments c on c.bucket = s.bucket and c.id = s.comment_id
      join articles a on a.bucket = c.bucket and a.id = c.article_id`;

/**
 * Returns the best comments for a query, of those that are visible on listed articles at this moment. A
 * score depends on the comment and the query only, so that a page continues where the previous one ended.
 * Each row is looked up by its key: a planner that expects 20 candidates joins whole tables for 1,000.
 */
export function listRankedComments(
  db: Db,
  query: ResolvedQuery,
): Promise<readonly RankedComment[]> {
  const one = rankStatement(query, 'by row');
  return db.rows(takesLong(orOverServers(one, () => rankStatement(query, 'over servers'))));
}

function rankStatement(query: ResolvedQuery, lookup: Lookup): Statement<RankedComment> {
  const { words, request } = query;
  const { authorId, since } = request.filters;
  const { after, before } = request;
  return sql<RankedComment>`
    -- every bucket: a search is over all comments
    with${authorId === undefined ? fromAll(query) : fromAuthor(query, authorId, lookup)}, ranked as (
      select s.comment_id as id, s.configuration,
        ts_rank(s.document, ${words}::tsquery, 1)::float8
          + extract(epoch from c.created_at)::float8 / 31557600 * 0.02 as score
      from found
      ${lookup === 'by row' ? shownByRow : shownOverServers}
      ${sql.where([
        sql`c.status = 'visible' and a.listed`,
        whenGiven(since, (time) => sql`c.created_at >= ${time}`),
        whenGiven(before, (time) => sql`c.created_at < ${time}`),
      ])}
    )
    select id, configuration, score
    from ranked
    ${sql.where([whenGiven(after, (end) => sql`(score, id) < (${end.score}::float8, ${end.id})`)])}
    order by score desc, id desc
    ${justFirst(101)}`;
}
