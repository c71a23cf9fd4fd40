// The statement that searches articles.
import { atMost, justFirst, nothing, sql, takesLong } from '#database';
import type { Db, Statement } from '#database';

/**
 * Ranking queries for articles of one configuration, as tsqueries in text form: all words, any word, the
 * phrase.
 */
export interface OwnQuery {
  readonly configuration: string;
  readonly words: string;
  readonly anyWord: string;
  readonly phrase: string | null;
}

/** Tsqueries as text, and the times to search. */
interface Looked {
  /** Stemmed words to match in texts and titles. */
  readonly words: string;
  /** The same for titles, which also match unstemmed words, without the excluded words. */
  readonly titleWords: string;
  /** An article must have one of these marks; undefined: any time. */
  readonly spans: readonly string[] | undefined;
  readonly titleSpans: readonly string[] | undefined;
  readonly own: readonly OwnQuery[];
}

export interface ArticleSearch extends Looked {
  /**
   * The query as typed, if the rest is wider and the typed query had results: those rank first, by this
   * query.
   */
  readonly typed: Looked | undefined;
  /** A tsquery that title and text must match together, if the query excludes words. */
  readonly whole: string | undefined;
  /** The number of words in the query: a title of exactly these words ranks best. */
  readonly wordCount: number;
  /** An article must have all of these marks. */
  readonly marks: readonly string[];
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly after: { readonly score: number; readonly id: string } | undefined;
  readonly limit: number;
}

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

function among(search: ArticleSearch, spans: readonly string[] | undefined): Statement {
  const { marks, since, until } = search;
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
    until === undefined
      ? nothing
      : sql`
        and s.published_at < ${until}`
  }`;
}

/** All columns for ranking: a second lookup by id would read four pages of the index per article. */
const rankedColumns = sql`bucket, article_id, configuration, title, title_length, document, published_at`;

/** Not by an index on time: PostgreSQL would walk that index and check every text. */
const newestFirst = sql`order by s.published_at at time zone 'utc' desc, s.article_id desc`;

/** Returns the newest articles whose text matches. */
function byText(search: ArticleSearch, { words, spans }: Looked): Statement {
  return sql`(
      select ${rankedColumns}
      from article_search s
      where s.document @@ (select ${words}::tsquery)${among(search, spans)}
      ${newestFirst}
      ${justFirst(mostRanked)}
    )`;
}

/**
 * Returns the newest articles whose title matches; excluded words must not occur anywhere in the article.
 */
function byTitle(search: ArticleSearch, { titleWords, titleSpans }: Looked): Statement {
  return sql`(
      select ${rankedColumns}
      from article_search s
      where s.title @@ (select ${titleWords}::tsquery)${
        search.whole === undefined
          ? nothing
          : sql`
        and (s.title || s.document) @@ (select ${search.whole}::tsquery)`
      }${among(search, titleSpans)}
      ${newestFirst}
      ${justFirst(mostTitles)}
    )`;
}

/** Returns all candidates; an article may occur twice. */
function candidates(search: ArticleSearch): Statement {
  const found = sql`${byText(search, search)} union all ${byTitle(search, search)}`;
  const { typed } = search;
  if (typed === undefined) return found;
  return sql`${found} union all ${byText(search, typed)} union all ${byTitle(search, typed)}`;
}

/** Chooses an expression for articles that match the typed query, and another for the rest. */
function whereTyped(
  { typed }: ArticleSearch,
  then: (typed: Looked) => Statement,
  other: Statement,
) {
  return typed === undefined
    ? other
    : sql`case when s.is_typed then ${then(typed)} else ${other} end`;
}

/**
 * Returns each candidate once, with its score. Each criterion is worth more than the sum of those after it.
 */
function ranked(search: ArticleSearch): Statement {
  const { typed, wordCount } = search;
  const titleWords = whereTyped(
    search,
    (one) => sql`${one.titleWords}::tsquery`,
    sql`${search.titleWords}::tsquery`,
  );
  const words = whereTyped(
    search,
    (one) => sql`${one.words}::tsquery`,
    sql`${search.words}::tsquery`,
  );
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
          from (${candidates(search)}) as candidate
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
 * search, and choose the same plan.
 */
export function findArticleHits(db: Db, search: ArticleSearch): Promise<readonly RankedArticle[]> {
  const { after, typed } = search;
  const own = [
    ...search.own.map((one) => ({ ...one, isTyped: false })),
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
    ), ${ranked(search)}
    select id, score, configuration, (select count(*)::integer from ranked) as candidates
    from ranked${
      after === undefined
        ? nothing
        : sql`
    where (score, id) < (${after.score}::float8, ${after.id})`
    }
    order by score desc, id desc
    ${atMost(search.limit + 1)}`),
  );
}
