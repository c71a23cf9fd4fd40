// Statements on the texts that readers saw at earlier times.
import { sql } from '#database';
import type { Db, Statement } from '#database';
import type { RowKey } from '#lib/id';

/**
 * Returns the subquery of the revision that was published last at a time. Ids ascend with time: the history of
 * republications has a row only where that is not the newest revision that was published by then.
 */
function shownAt({ bucket, id }: RowKey, time: Statement): Statement {
  return sql`
      select candidates.id
      from (
        (
          select e.id, e.published_at
          from revisions e
          where e.bucket = ${bucket} and e.article_id = ${id} and e.published_at <= ${time}
          order by e.id desc
          limit 1
        )
        union all
        (
          select s.revision_id as id, s.published_at
          from republications s
          where s.bucket = ${bucket} and s.article_id = ${id} and s.published_at <= ${time}
          order by s.published_at desc
          limit 1
        )
        union all
        -- Nothing was published since the last change.
        select n.published_revision_id as id, 'infinity'::timestamptz as published_at
        from articles n
        where n.bucket = ${bucket}
          and n.id = ${id}
          and n.updated_at <= ${time}
          and n.published_revision_id is not null
      ) as candidates
      order by candidates.published_at desc, candidates.id desc
      limit 1`;
}

export interface ShownThenRow {
  /** The position of the time in the list that was given, from 0. */
  readonly at: number;
  readonly revision_id: string;
  /** The revision that is published now. */
  readonly published_revision_id: string;
}

/** Returns the revision that was published last at each of these times. */
export function listShownThen(
  db: Db,
  place: RowKey,
  times: readonly string[],
): Promise<readonly ShownThenRow[]> {
  return db.rows(sql<ShownThenRow>`
    select named.position::integer - 1 as at, shown.id as revision_id, a.published_revision_id
    from unnest(${times}::timestamptz[]) with ordinality as named (time, position)
    join articles a on a.bucket = ${place.bucket} and a.id = ${place.id}
    cross join lateral (${shownAt(place, sql`named.time`)}) as shown
    order by named.position`);
}

/** What readers saw of an article at a time, beside what they see now. */
export interface ShownBeforeRow {
  /** null: nothing was published yet. */
  readonly revision_id: string | null;
  readonly published_revision_id: string | null;
  /** The text, if another revision is published now; null too if it was erased. */
  readonly title: string | null;
  readonly content: string | null;
}

/** Returns the revision that was published last at a time, with its text if another is published now. */
export function findShownBefore(
  db: Db,
  place: RowKey,
  time: string,
): Promise<ShownBeforeRow | undefined> {
  return db.first(sql<ShownBeforeRow>`
    select shown.id as revision_id, a.published_revision_id, c.title, c.content
    from articles a
    left join lateral (${shownAt(place, sql`${time}::timestamptz`)}) as shown on true
    left join revisions r
      on r.bucket = a.bucket
      and r.article_id = a.id
      and r.id = shown.id
      and r.id <> a.published_revision_id
    left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.bucket = ${place.bucket} and a.id = ${place.id}`);
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
