// Candidates and rank of articles: one statement.
import { atMost, justFirst, sql, takesLong, whenGiven } from '#database';
import type { Condition, Db, Statement } from '#database';
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

/** Conditions of the filters and of the time to search. */
function among({ request, marks }: ResolvedQuery, spans: readonly string[] | undefined) {
  const { before, filters } = request;
  return [
    marks.length === 0 ? undefined : sql`s.marks @> (select ${marks}::text[])`,
    whenGiven(spans, (some) => sql`s.marks && (select ${some}::text[])`),
    whenGiven(filters.since, (time) => sql`s.published_at >= ${time}`),
    whenGiven(before, (time) => sql`s.published_at < ${time}`),
  ];
}

/**
 * Returns the newest articles, with all columns for ranking: a second lookup by id would read four pages of
 * the index per article. Not by an index on time: PostgreSQL would walk that index and check every text.
 */
function newest(conditions: readonly Condition[], most: number): Statement {
  return sql`(
      select bucket, article_id, configuration, title, title_length, document, published_at
      from article_search s
      ${sql.where(conditions)}
      order by s.published_at at time zone 'utc' desc, s.article_id desc
      ${justFirst(most)}
    )`;
}

/**
 * Returns the articles whose text or title matches; one may occur twice. Excluded words must not occur
 * anywhere in an article found by its title. `whole` is that of the widest query.
 */
function matches(query: ResolvedQuery, whole: string | undefined): Statement {
  const { words, titleWords, spans, titleSpans } = query;
  const inText = sql`s.document @@ (select ${words}::tsquery)`;
  const inTitle = sql`s.title @@ (select ${titleWords}::tsquery)`;
  const isWhole = whenGiven(
    whole,
    (all) => sql`(s.title || s.document) @@ (select ${all}::tsquery)`,
  );
  const byText = newest([inText, ...among(query, spans)], mostRanked);
  const byTitle = newest([inTitle, isWhole, ...among(query, titleSpans)], mostTitles);
  return sql`${byText} union all ${byTitle}`;
}

/**
 * Returns each candidate once, with its score. Each criterion is worth more than the sum of those after it.
 */
function rankedStatement(query: ResolvedQuery, typed: ResolvedQuery | undefined): Statement {
  const wordCount = wordCountOf(query.parsed);
  // Those of the typed query for articles that match it.
  const wordsOf = (member: 'words' | 'titleWords') =>
    typed === undefined
      ? sql`${query[member]}::tsquery`
      : sql`case when s.is_typed then ${typed[member]}::tsquery else ${query[member]}::tsquery end`;
  const found = matches(query, query.whole);
  const candidates =
    typed === undefined ? found : sql`${found} union all ${matches(typed, query.whole)}`;
  return sql`ranked as materialized (
      select s.article_id as id, s.configuration,
        case when s.is_typed then 10 else 0 end
          + case
            when s.title @@ ${wordsOf('titleWords')}
              then 4 + least(1, ${wordCount}::float8 / greatest(1, s.title_length))
            else coalesce(least(1, 1.65 * ts_rank('{1, 1, 1, 1}', s.title, own.any_word)), 0) * 0.8
          end
          + ts_rank_cd(
            '{0.05, 0.1, 0.3, 1}', s.document, coalesce(own.words, ${wordsOf('words')}), 1 | 32
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
          from (${candidates}) as candidate
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
    from ranked
    ${sql.where([whenGiven(after, (end) => sql`(score, id) < (${end.score}::float8, ${end.id})`)])}
    order by score desc, id desc
    ${atMost(limit + 1)}`),
  );
}
