// SQL that searches articles.
import { atMost, justFirst, nothing, sql, takesLong } from '#database';
import type { Db, Statement } from '#database';

/** What articles of one configuration are ranked by: all words, any of them, and all in a row; tsqueries as text. */
export interface OwnQuery {
  readonly configuration: string;
  readonly words: string;
  readonly anyWord: string;
  readonly phrase: string | null;
}

/** Tsqueries as text, and where to look for them. */
interface Looked {
  /** Words in texts and titles, stemmed. */
  readonly words: string;
  /** The same on titles, where words as they are count too, without what must not be there. */
  readonly titleWords: string;
  /** One of these marks must be there; undefined: any time. */
  readonly spans: readonly string[] | undefined;
  readonly titleSpans: readonly string[] | undefined;
  readonly own: readonly OwnQuery[];
}

export interface ArticleSearch extends Looked {
  /** What was typed, where the rest is wider than that and it found something: that comes first, and is ranked by it. */
  readonly typed: Looked | undefined;
  /** What title and text must meet together, where something must not be there. */
  readonly whole: string | undefined;
  /** How many words were asked for: a title of just those is the best. */
  readonly wordCount: number;
  /** All of these marks must be there. */
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
  /** How many were ranked, those before the page and after it too. */
  readonly candidates: number;
}

/** Bounds what ranking costs: the newest of those that match are ranked. */
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

/** All that an article is ranked by: to look it up again by its id would be four pages of the index for each. */
const rankedColumns = sql`bucket, article_id, configuration, title, title_length, document, published_at`;

/** Not by an index on time: PostgreSQL would walk it and look at every text. */
const newestFirst = sql`order by s.published_at at time zone 'utc' desc, s.article_id desc`;

/** The newest that have the words in their text. */
function byText(search: ArticleSearch, { words, spans }: Looked): Statement {
  return sql`(
      select ${rankedColumns}
      from article_search s
      where s.document @@ (select ${words}::tsquery)${among(search, spans)}
      ${newestFirst}
      ${justFirst(mostRanked)}
    )`;
}

/** The newest that have the words in their title; what must not be there is nowhere in the article. */
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

/** All candidates; some may stand there twice. */
function candidates(search: ArticleSearch): Statement {
  const found = sql`${byText(search, search)} union all ${byTitle(search, search)}`;
  const { typed } = search;
  if (typed === undefined) return found;
  return sql`${found} union all ${byText(search, typed)} union all ${byTitle(search, typed)}`;
}

/** What holds for an article that has what was typed, or for any other. */
function whereTyped(
  { typed }: ArticleSearch,
  then: (typed: Looked) => Statement,
  other: Statement,
) {
  return typed === undefined
    ? other
    : sql`case when s.is_typed then ${then(typed)} else ${other} end`;
}

/** Each candidate once, with its score. What counts for more than all that follows it is worth more than its sum. */
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
            -- Read out of its own table once, where each use would read it again.
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
 * The best articles for a query. Index scans find candidates, by text and by title; the newest of each are
 * ranked. A score depends on the article and the query only, never on the time of asking or on other
 * articles, so that a page goes on where the one before ended. What is looked for stands in a query of its
 * own, so that the planner does not see it: it would go through its statistics of thousands of words for
 * each search, and plan the same.
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
