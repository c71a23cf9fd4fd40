// SQL that searches articles.
import { atMost, justFirst, nothing, sql } from '#database';
import type { Db, Statement } from '#database';

export interface ArticleSearch {
  /** A tsquery as text, of words in texts and titles, stemmed. */
  readonly words: string;
  /** The same on titles, where words as they are count too. */
  readonly titleWords: string;
  /** What was typed, where the other two are wider than that: what it finds comes first. */
  readonly exact: string | undefined;
  /** What articles of each configuration are ranked by: all words, any of them, and all in a row. */
  readonly own: readonly {
    readonly configuration: string;
    readonly words: string;
    readonly anyWord: string;
    readonly phrase: string | null;
  }[];
  /** How many words were asked for: a title of just those is the best. */
  readonly wordCount: number;
  /** All of these marks must be there. */
  readonly marks: readonly string[];
  /** One of these must be; undefined: any time. */
  readonly spans: readonly string[] | undefined;
  readonly titleSpans: readonly string[] | undefined;
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

function exactBonus({ exact }: ArticleSearch): Statement {
  if (exact === undefined) return sql`0`;
  return sql`case
            when s.document @@ ${exact}::tsquery or s.title @@ ${exact}::tsquery then 4
            else 0
          end`;
}

/** All that an article is ranked by: to look it up again by its id would be four pages of the index for each. */
const rankedColumns = sql`bucket, article_id, configuration, title, title_length, document, published_at`;

/** Not by an index on time: PostgreSQL would walk it and look at every text. */
const newestFirst = sql`order by s.published_at at time zone 'utc' desc, s.article_id desc`;

/** Each candidate once, with its score. */
function ranked(search: ArticleSearch): Statement {
  return sql`ranked as materialized (
      select s.article_id as id, s.configuration,
        case
          when s.title @@ ${search.titleWords}::tsquery
            then 1 + least(1, ${search.wordCount}::float8 / greatest(1, s.title_length))
          else coalesce(least(1, 1.65 * ts_rank('{1, 1, 1, 1}', s.title, own.any_word::tsquery)), 0) * 0.8
        end
          + ts_rank_cd(
            '{0.05, 0.1, 0.3, 1}', s.document, coalesce(own.words, ${search.words})::tsquery, 1 | 32
          )::float8
          + case when s.document @@ own.phrase::tsquery then 1 else 0 end
          + date_part('epoch', s.published_at) / 31557600 * 0.02
          + ${exactBonus(search)} as score
      from (
        select article_id, configuration, title, title_length, published_at,
          -- Read out of its own table once, where each use would read it again.
          (array[document])[1] as document
        from (
          select ${rankedColumns}
          from texts
          union all
          select ${rankedColumns}
          from titles t
          where not exists (
            select
            from texts
            where texts.bucket = t.bucket and texts.article_id = t.article_id
          )
        ) as candidate
        ${justFirst(mostRanked + mostTitles)}
      ) as s
      left join own on own.configuration = s.configuration
    )`;
}

/**
 * The best articles for a query. Two index scans find candidates, by text and by title; the newest of
 * each are ranked. A score depends on the article and the query only, never on the time of asking or on
 * other articles, so that a page goes on where the one before ended. What is looked for stands in a query
 * of its own, so that the planner does not see it: it would go through its statistics of thousands of words
 * for each search, and plan the same.
 */
export function searchArticles(db: Db, search: ArticleSearch): Promise<readonly RankedArticle[]> {
  const { after } = search;
  return db.rows(sql<RankedArticle>`
    -- every bucket: a search is over all articles
    with texts as materialized (
      select ${rankedColumns}
      from article_search s
      where s.document @@ (select ${search.words}::tsquery)${among(search, search.spans)}
      ${newestFirst}
      ${justFirst(mostRanked)}
    ), titles as materialized (
      select ${rankedColumns}
      from article_search s
      where s.title @@ (select ${search.titleWords}::tsquery)${among(search, search.titleSpans)}
      ${newestFirst}
      ${justFirst(mostTitles)}
    ), own as (
      select configuration, words, any_word, phrase
      from unnest(
        ${search.own.map((one) => one.configuration)}::text[],
        ${search.own.map((one) => one.words)}::text[],
        ${search.own.map((one) => one.anyWord)}::text[],
        ${search.own.map((one) => one.phrase)}::text[]
      ) as o (configuration, words, any_word, phrase)
    ), ${ranked(search)}
    select id, score, configuration, (select count(*)::integer from ranked) as candidates
    from ranked${
      after === undefined
        ? nothing
        : sql`
    where (score, id) < (${after.score}::float8, ${after.id})`
    }
    order by score desc, id desc
    ${atMost(search.limit + 1)}`);
}
