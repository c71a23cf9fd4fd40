// Statements that keep edges in step with their source: whether they are shown, and their notes.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { edgeColumns } from './edges.ts';
import type { EdgeRow } from './edges.ts';

/** Returns those articles that have edges or are no longer published: only their edges may need a change. */
export function listWithEdges(db: Db, places: readonly RowKey[]): Promise<readonly RowKey[]> {
  return db.rows(sql<RowKey>`
    select a.bucket, a.id
    from unnest(${places.map(({ bucket }) => bucket)}::smallint[], ${places.map(({ id }) => id)}::text[])
      as named (bucket, id)
    join articles a on a.bucket = named.bucket and a.id = named.id
    where a.status <> 'published'
      or a.removed_legally
      or exists (
        select 1
        from edges e
        where e.bucket = a.bucket and e.src_article_id = a.id
      )
    order by a.bucket, a.id`);
}

export interface EdgesPage {
  readonly after: string;
  readonly limit: number;
}

/** Lists the edges from one article whose `shown` is null or differs from the given one, oldest first. */
export function listOthersThan(
  db: Db,
  source: RowKey,
  shown: boolean,
  page: EdgesPage,
): Promise<readonly Pick<EdgeRow, 'id' | 'dst_article_id'>[]> {
  const other = shown ? sql`e.shown is not true` : sql`e.shown is not false`;
  return db.rows(sql<Pick<EdgeRow, 'id' | 'dst_article_id'>>`
    select e.id, e.dst_article_id
    from edges e
    where e.bucket = ${source.bucket}
      and e.src_article_id = ${source.id}
      and e.id > ${page.after}
      and ${other}
    order by e.id
    limit ${page.limit}`);
}

/** An edge with the writes that its target has already received. */
export interface LockedEdge extends EdgeRow {
  readonly counted: boolean;
  readonly announced: boolean;
}

/** Locks an edge until the transaction ends; returns undefined when it was deleted. */
export function lockEdge(tx: Tx, key: RowKey): Promise<LockedEdge | undefined> {
  return tx.first(sql<LockedEdge>`
    select ${edgeColumns},
      coalesce(e.shown, e.announced_at is not null) as counted,
      e.announced_at is not null as announced
    from edges e
    where e.bucket = ${key.bucket} and e.id = ${key.id}
    for no key update of e`);
}

/** Sets the visibility of a locked edge. The first time it is shown, it is dated as announced. */
export function setShown(tx: Tx, key: RowKey, shown: boolean, now: Date): Promise<number> {
  return tx.run(sql`
    update edges
    set shown = ${shown},
      announced_at = case
        when ${shown} then coalesce(announced_at, ${now.toISOString()}::timestamptz)
        else announced_at
      end
    where bucket = ${key.bucket} and id = ${key.id}`);
}

/** Lists the edges from one article that have a note, oldest first. */
export function listNoted(db: Db, source: RowKey, limit: number): Promise<readonly EdgeRow[]> {
  return db.rows(sql<EdgeRow>`
    select ${edgeColumns}
    from edges e
    where e.bucket = ${source.bucket}
      and e.src_article_id = ${source.id}
      and e.note is not null
    order by e.id
    limit ${limit}`);
}

/** Deletes the note of an edge. */
export function deleteNote(tx: Tx, key: RowKey): Promise<number> {
  return tx.run(sql`
    update edges
    set note = null
    where bucket = ${key.bucket} and id = ${key.id}`);
}

/** Deletes the note from the second row, in the bucket of the target. */
export function deleteIncomingNote(tx: Tx, bucket: number, edge: EdgeRow): Promise<number> {
  return tx.run(sql`
    update incoming_edges
    set note = null
    where bucket = ${bucket} and dst_key = ${edge.dst_key} and id = ${edge.id}`);
}
