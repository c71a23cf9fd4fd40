// Statements on what the log says of each article, in the article's bucket.
import { byId, keysTable, sql } from '#database';
import type { Tx } from '#database';
import type { RowKey } from '#lib/id';

export interface LoggedArticle {
  readonly id: string;
  /** `new`: the log does not mention the article. */
  readonly state: 'new' | 'public' | 'withdrawn' | 'removed' | 'erased';
  readonly changes: number;
  readonly logged_until: string | null;
}

/**
 * Inserts the rows of articles, or locks them if they exist, until the transaction ends: in the order of their
 * keys, so that two transactions that lock several cannot deadlock.
 */
export async function lockLoggedArticles(
  tx: Tx,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, LoggedArticle>> {
  const rows = await tx.rows(sql<LoggedArticle>`
    insert into log_articles (bucket, article_id, state, changes)
    select named.bucket, named.id, 'new', 0
    from ${keysTable(keys)}
    order by named.bucket, named.id
    on conflict on constraint log_articles_article_id_pkey
    do update set state = log_articles.state
    returning article_id as id, state, changes, logged_until`);
  return byId(rows);
}

/** The articles must be locked. */
export function setLoggedArticles(
  tx: Tx,
  articles: readonly (LoggedArticle & RowKey)[],
): Promise<number> {
  return tx.run(sql`
    update log_articles l
    set state = given.state, changes = given.changes, logged_until = given.logged_until
    from unnest(
      ${articles.map(({ bucket }) => bucket)}::smallint[], ${articles.map(({ id }) => id)}::text[],
      ${articles.map(({ state }) => state)}::text[], ${articles.map(({ changes }) => changes)}::integer[],
      ${articles.map((article) => article.logged_until)}::timestamptz[]
    ) as given (bucket, id, state, changes, logged_until)
    where l.bucket = given.bucket
      and l.article_id = given.id`);
}
