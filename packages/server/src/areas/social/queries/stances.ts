// Statements that count the stances of comments on an article, and whose they are.
import { justFirst, sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';

/** The stances that are counted. */
export interface StanceInput {
  readonly stances: readonly string[];
  /** Comments of each stance that are read, the newest ones. */
  readonly each: number;
}

export interface StanceRow {
  /** null for all stances together. */
  readonly stance: string | null;
  readonly comments: number;
  /** Distinct persons; an agent counts for its owner. */
  readonly owners: number;
}

/** The counts of an article; the article's visibility is up to the caller. */
export const stanceCounts = (article: RowKey, { stances, each }: StanceInput) => sql`
    select own.stance, count(*)::integer as comments, count(distinct own.owner)::integer as owners
    from unnest(${stances}::text[]) as wanted (stance)
    cross join lateral (
      select c.stance, coalesce(c.owner_principal_id, c.author_id) as owner
      from comments c
      where c.bucket = ${article.bucket}
        and c.article_id = ${article.id}
        and c.stance = wanted.stance
        and c.status = 'visible'
      order by c.id desc
      ${justFirst(each)}
    ) as own
    group by grouping sets ((own.stance), ())`;

/** Counts the newest visible comments of each stance. */
export function countStances(
  db: Db,
  article: RowKey,
  input: StanceInput,
): Promise<readonly StanceRow[]> {
  return db.rows(sql<StanceRow>`
    select counted.stance, counted.comments, counted.owners
    from (${stanceCounts(article, input)}) as counted
    order by counted.stance`);
}
