// Statements on the texts that readers saw at earlier times.
import { sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';

export interface ShownThenRow {
  /** The position of the time in the list that was given, from 0. */
  readonly at: number;
  readonly revision_id: string;
}

/** Returns the revision that was published last at each of these times. */
export function listShownThen(
  db: Db,
  place: RowKey,
  times: readonly string[],
): Promise<readonly ShownThenRow[]> {
  // Ids ascend with time: the newest revision that was published by then is found after a few rows.
  return db.rows(sql<ShownThenRow>`
    select named.position::integer - 1 as at, r.id as revision_id
    from unnest(${times}::timestamptz[]) with ordinality as named (time, position)
    cross join lateral (
      select id
      from revisions
      where bucket = ${place.bucket}
        and article_id = ${place.id}
        and published_at <= named.time
      order by id desc
      limit 1
    ) as r
    order by named.position`);
}

export interface EarlierTextRow {
  readonly revision_id: string;
  readonly content: string;
}

/** Returns the texts of published revisions of an article that everyone may read. */
export function listEarlierTexts(
  db: Db,
  place: RowKey,
  ids: readonly string[],
): Promise<readonly EarlierTextRow[]> {
  return db.rows(sql<EarlierTextRow>`
    select r.id as revision_id, c.content
    from articles a
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = any(${ids})
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.bucket = ${place.bucket}
      and a.id = ${place.id}
      and a.status = 'published'
      and a.visibility <> 'private'
      and r.published_at is not null
    order by r.id`);
}
