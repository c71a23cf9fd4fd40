// Candidates and rank of articles: one statement.
import { atMost, justFirst, nothing, sql, takesLong } from '#database';
import type { Db, Statement } from '#database';
import { wordCountOf } from '../rules/parse-query.ts';
import type { ResolvedQuery } from '../rules/search-request.ts';

export interface RankedArticle {
  readonly id: string;
  readonly score: number;
  /** The text-search configuration of its text. */
  readonly configuration: string;
  /** The number of ranked articles, including those before and after the page. */
  readonly candidates: number;
}

/** Limits the cost of ranking: only the newest matches are ranked. */
const mostRanked = 150;
const mostTitles = 100;

function among({ request, marks }: ResolvedQuery, spans: readonly string[] | undefined): Statement {
  const { before, filters } = request;
  const { since } = filters;
  return sql`${
    marks.length === 0
      ? nothing
      : sql`
        and s.marks @> (select ${marks}::text[])`
  }${
    spans === undefined
      ? nothing
      : sql`
        and s.marks && (select ${spans}::text[])`
  }${
    since === undefined
      ? nothing
      : sql`
        and s.published_at >= ${since}`
  }${
    before === undefined
      ? nothing
      : sql`
        and s.published_at < ${before}`
  }`;
}

/** All columns for ranking: a second lookup by id would read four pages of the index per article. */
const rankedColumns = sql`bucket, article_id, configuration, title, title_length, document, published_at`;

/** Not by an index on time: PostgreSQL would walk that index and check every text. */
const newestFirst = sql`order by s.published_at at time zone 'utc' desc, s.article_id desc`;

/** Returns the newest articles whose text matches. */
function byText(query: ResolvedQuery): Statement {
  const { words, spans } = query;
  return sql`(
      select ${rankedColumns}
      from article_search s
      where s.document @@ (select ${words}::tsquery)${among(query, spans)}
      ${newestFirst}
      ${justFirst(mostRanked)}
    )`;
}

/**
 * Returns the newest articles whose title matches; excluded words must not occur anywhere in the article.
 * `whole` is that of the widest query.
 */
function byTitle(query: ResolvedQuery, whole: string | undefined): Statement {
  const { titleWords, titleSpans } = query;
  return sql`(
      select ${rankedColumns}
      from article_search s
      where s.title @@ (select ${titleWords}::tsquery)${
        whole === undefined
          ? nothing
          : sql`
        and (s.title || s.document) @@ (select ${whole}::tsquery)`
      }${among(query, titleSpans)}
      ${newestFirst}
      ${justFirst(mostTitles)}
    )`;
}

/** Returns all candidates; an article may occur twice. */
function candidates(query: ResolvedQuery, typed: ResolvedQuery | undefined): Statement {
  const { whole } = query;
  const found = sql`${byText(query)} union all ${byTitle(query, whole)}`;
  if (typed === undefined) return found;
  return sql`${found} union all ${byText(typed)} union all ${byTitle(typed, whole)}`;
}

/** Chooses the words of the typed query for articles that match it, and those of the query for the rest. */
function wordsFor(
  query: ResolvedQuery,
  typed: ResolvedQuery | undefined,
  member: 'words' | 'titleWords',
): Statement {
  const words = sql`${query[member]}::tsquery`;
  return typed === undefined
    ? words
    : sql`case when s.is_typed then ${typed[member]}::tsquery else ${words} end`;
}

/**
 * Returns each candidate once, with its score. Each criterion is worth more than the sum of those after it.
 */
function rankedStatement(query: ResolvedQuery, typed: ResolvedQuery | undefined): Statement {
  const wordCount = wordCountOf(query.parsed);
  const titleWords = wordsFor(query, typed, 'titleWords');
  const words = wordsFor(query, typed, 'words');
  return sql`ranked as materialized (
      select s.article_id as id, s.configuration,
        case when s.is_typed then 10 else 0 end
          + case
            when s.title @@ ${titleWords}
              then 4 + least(1, ${wordCount}::float8 / greatest(1, s.title_length))
            else coalesce(least(1, 1.65 * ts_rank('{1, 1, 1, 1}', s.title, own.any_word)), 0) * 0.8
          end
          + ts_rank_cd(
            '{0.05, 0.1, 0.3, 1}', s.document, coalesce(own.words, ${words}), 1 | 32
          )::float8
          + case when s.document @@ own.phrase then 1 else 0 end
          + date_part('epoch', greatest(s.published_at, timestamptz '2000-01-01 00:00:00Z'))
            / 31557600 * 0.02 as score
      from (
        select read.bucket, read.article_id, read.configuration, read.title, read.title_length,
          read.published_at, read.document, ${
            typed === undefined
              ? sql`false`
              : sql`read.document @@ ${typed.words}::tsquery or read.title @@ ${typed.titleWords}::tsquery`
          } as is_typed
        from (
          select distinct on (bucket, article_id)
            bucket, article_id, configuration, title, title_length, published_at,
            -- Read from its own table once; otherwise each use would read it again.
            (array[document])[1] as document
          from (${candidates(query, typed)}) as candidate
          order by bucket, article_id
          ${justFirst(2 * (mostRanked + mostTitles))}
        ) as read
      ) as s
      left join own on own.configuration = s.configuration and own.is_typed = s.is_typed
    )`;
}

/**
 * Returns the best articles for a query. Index scans find candidates, by text and by title; the newest of
 * each are ranked. A score depends on the article and the query only, never on the time of the request or
 * on other articles, so that a page continues where the previous one ended. The search terms are in a
 * subquery, to hide them from the planner: it would read its statistics of thousands of words for each
 * search, and choose the same plan. `typed` is the query as typed, if `query` is wider and the typed query
 * had results: those rank first, by this query.
 */
export function listRankedArticles(
  db: Db,
  query: ResolvedQuery,
  typed?: ResolvedQuery,
): Promise<readonly RankedArticle[]> {
  const { after, limit } = query.request;
  const own = [
    ...query.own.map((one) => ({ ...one, isTyped: false })),
    ...(typed?.own ?? []).map((one) => ({ ...one, isTyped: true })),
  ];
  return db.rows(
    takesLong(sql<RankedArticle>`
    -- every bucket: a search is over all articles
    with own as (
      select configuration, words, any_word, phrase, is_typed
      from unnest(
        ${own.map((one) => one.configuration)}::text[],
        ${own.map((one) => one.words)}::tsquery[],
        ${own.map((one) => one.anyWord)}::tsquery[],
        ${own.map((one) => one.phrase)}::tsquery[],
        ${own.map((one) => one.isTyped)}::boolean[]
      ) as o (configuration, words, any_word, phrase, is_typed)
    ), ${rankedStatement(query, typed)}
    select id, score, configuration, (select count(*)::integer from ranked) as candidates
    from ranked${
      after === undefined
        ? nothing
        : sql`
    where (score, id) < (${after.score}::float8, ${after.id})`
    }
    order by score desc, id desc
    ${atMost(limit + 1)}`),
  );
}
