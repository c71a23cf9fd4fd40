// The statement that counts the listed articles of an author by week.
import { justFirst, sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';

/** Articles that are looked at: the newest ones. */
const articlesMax = 1_000;

/** How many works are of a week, which begins on this Monday in UTC: `2026-11-23`. */
export interface WeekCount {
  readonly week: string;
  readonly count: number;
}

/** Counts the articles that were published since a time and are listed now, by week. */
export function listPublishedWeeks(
  db: Db,
  author: RowKey,
  since: Date,
): Promise<readonly WeekCount[]> {
  return db.rows(sql<WeekCount>`
    select to_char(date_trunc('week', a.published_at at time zone 'UTC'), 'YYYY-MM-DD') as week,
      count(*)::integer as count
    from (
      select published_at
      from articles
      where bucket = ${author.bucket} and author_id = ${author.id} and listed
      order by id desc
      ${justFirst(articlesMax)}
    ) as a
    where a.published_at >= ${since}
    group by 1
    order by 1`);
}
