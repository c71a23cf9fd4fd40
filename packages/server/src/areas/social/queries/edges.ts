// Statements on single edges: asserting one, its second row in the target's bucket, deleting it.
import type { articleStatuses, edgeKinds, visibilities } from '@colophon/contract';
import { readById, sql } from '#database';
import type { Db, Tx } from '#database';
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';

export type EdgeKind = (typeof edgeKinds)[number];

export interface EdgeRow {
  readonly id: string;
  readonly src_article_id: string;
  readonly kind: EdgeKind;
  /** The key by which destinations are compared: id of the article, or SHA-256 of the address. */
  readonly dst_key: string;
  readonly dst_article_id: string | null;
  readonly dst_uri: string | null;
  readonly via_comment_id: string | null;
  readonly note: string | null;
  readonly created_by_principal_id: string;
  readonly created_at: string;
}

/** The columns that decide who may see and find an article, and who is notified of its changes. */
export interface EndRow {
  readonly id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly status: (typeof articleStatuses)[number];
  readonly visibility: (typeof visibilities)[number];
  readonly published_revision_id: string | null;
  readonly removed_at: string | null;
  readonly removed_legally: boolean;
  readonly reason_code: string | null;
  readonly deindexed: boolean;
  /** Whether a moderator had hidden it when its author removed it. */
  readonly concealed: boolean;
}

/** The same with the columns that a list shows. */
export interface ShownEndRow extends EndRow {
  readonly title: string | null;
  readonly author_kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string | null;
  readonly model: string | null;
  readonly provider: string | null;
}

/** Columns of `edges e` or `incoming_edges e`. */
export const edgeColumns = sql`
    e.id, e.src_article_id, e.kind, e.dst_key, e.dst_article_id, e.dst_uri, e.via_comment_id, e.note,
    e.created_by_principal_id, e.created_at`;

/** Columns of `articles a` and its author `principals p`, with names that no column of an edge has. */
export const endColumns = sql`
    a.author_id, p.owner_principal_id, a.status, a.visibility, a.published_revision_id, a.removed_at,
    a.removed_legally, a.reason_code, a.deindexed,
    case
      when a.status in ('unpublished', 'removed', 'erased')
        and a.reason_code is null
        and a.moderation_action_id is not null
      then exists (
        select 1
        from moderation_actions m
        where m.bucket = a.bucket
          and m.target_type = 'article'
          and m.target_id = a.id
          and m.action = 'hide'
          and m.lifted_at is null
      )
      else false
    end as concealed`;

/** An edge with its source, which decides who may see it. */
export interface EdgeFromRow extends EdgeRow {
  readonly source: EndRow;
}

/** The source's own `id` column would shadow that of the edge. */
function withSource({ ...row }: EdgeRow & Omit<EndRow, 'id'>): EdgeFromRow {
  return { ...row, source: { ...row, id: row.src_article_id } };
}

const edgeFrom = readById(
  (bucket, id) => sql<EdgeRow & Omit<EndRow, 'id'>>`
    select ${edgeColumns}, ${endColumns}
    from edges e
    join articles a on a.bucket = e.bucket and a.id = e.src_article_id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    where e.bucket = ${bucket} and e.id = ${id}`,
);

export async function findEdge(db: Db, key: RowKey): Promise<EdgeFromRow | undefined> {
  const row = await db.find(edgeFrom, key);
  return row === undefined ? undefined : withSource(row);
}

/** Returns the edge of this source, kind and destination, if it exists. A concurrent deletion is before it or waits. */
export function lockEqualEdge(
  tx: Tx,
  source: RowKey,
  input: { readonly kind: string; readonly dst_key: string },
): Promise<EdgeRow | undefined> {
  return tx.first(sql<EdgeRow>`
    select ${edgeColumns}
    from edges e
    where e.bucket = ${source.bucket}
      and e.src_article_id = ${source.id}
      and e.kind = ${input.kind}
      and e.dst_key = ${input.dst_key}
    for key share of e`);
}

/** Returns the columns that decide who may see an article. */
const end = readById(
  (bucket, id) => sql<EndRow>`
    select a.id, ${endColumns}
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    where a.bucket = ${bucket} and a.id = ${id}`,
);

export function findEnd(db: Db, key: RowKey): Promise<EndRow | undefined> {
  return db.find(end, key);
}

/**
 * Returns the columns of `findEnd` with a shared lock until the transaction ends, so that a concurrent
 * removal or erasure finds the edge that is being asserted. Shared locks do not wait for each other.
 */
function lockEnd(tx: Tx, key: RowKey): Promise<EndRow | undefined> {
  return tx.first(sql<EndRow>`
    select a.id, ${endColumns}
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    where a.bucket = ${key.bucket} and a.id = ${key.id}
    for share of a`);
}

/**
 * Locks source and destination of an edge in the order of their ids, as transactions that change several articles
 * lock them: there is no deadlock. The destination is undefined if the edge leads to an address.
 */
export function lockEnds(
  tx: Tx,
  sourceId: string,
  destinationId: string | null,
): Promise<readonly [EndRow | undefined, EndRow | undefined]> {
  const ids = destinationId === null ? [sourceId] : [sourceId, destinationId].toSorted();
  const locked = new Map(ids.map((id) => [id, lockEnd(tx, keyOf(id))]));
  return Promise.all([
    locked.get(sourceId),
    destinationId === null ? undefined : locked.get(destinationId),
  ]);
}

/**
 * Inserts an edge; of two equal concurrent edges the constraint edges_dst_key_key accepts one. A shown edge
 * is announced in the same transaction.
 */
export function insertEdge(tx: Tx, bucket: number, edge: EdgeRow, shown: boolean): Promise<number> {
  return tx.run(sql`
    insert into edges (
      bucket, id, src_article_id, kind, dst_key, dst_article_id, dst_uri, via_comment_id, note,
      created_by_principal_id, created_at, announced_at, shown
    )
    values (
      ${bucket}, ${edge.id}, ${edge.src_article_id}, ${edge.kind}, ${edge.dst_key},
      ${edge.dst_article_id}, ${edge.dst_uri}, ${edge.via_comment_id}, ${edge.note},
      ${edge.created_by_principal_id}, ${edge.created_at}, ${shown ? edge.created_at : null}, ${shown}
    )`);
}

/** The facts about the source in the second row. */
export interface Showing {
  /** Whether everyone can find the source. */
  readonly shown: boolean;
  readonly ownerId: string | null;
}

/** Inserts the second row in the bucket of the target, or updates the existing one. */
export function setIncomingEdge(
  tx: Tx,
  bucket: number,
  edge: EdgeRow,
  { shown, ownerId }: Showing,
): Promise<number> {
  return tx.run(sql`
    insert into incoming_edges (
      bucket, dst_key, id, src_article_id, kind, dst_article_id, dst_uri, via_comment_id, note,
      created_by_principal_id, created_at, shown, owner_principal_id
    )
    values (
      ${bucket}, ${edge.dst_key}, ${edge.id}, ${edge.src_article_id}, ${edge.kind},
      ${edge.dst_article_id}, ${edge.dst_uri}, ${edge.via_comment_id}, ${edge.note},
      ${edge.created_by_principal_id}, ${edge.created_at}, ${shown}, ${ownerId}
    )
    on conflict on constraint incoming_edges_id_pkey do update
    set shown = excluded.shown, owner_principal_id = excluded.owner_principal_id`);
}

export function deleteIncomingEdge(tx: Tx, key: RowKey, dstKey: string): Promise<number> {
  return tx.run(sql`
    delete from incoming_edges
    where bucket = ${key.bucket} and dst_key = ${dstKey} and id = ${key.id}`);
}

export interface DeletedEdge {
  readonly src_article_id: string;
  readonly dst_key: string;
  readonly dst_article_id: string | null;
  readonly counted: boolean;
}

/** Deletes an edge of this principal; returns undefined when it is already deleted. */
export function deleteOwnEdge(
  tx: Tx,
  key: RowKey,
  principalId: string,
): Promise<DeletedEdge | undefined> {
  return tx.first(sql<DeletedEdge>`
    delete from edges
    where bucket = ${key.bucket}
      and id = ${key.id}
      and created_by_principal_id = ${principalId}
    returning src_article_id, dst_key, dst_article_id,
      coalesce(shown, announced_at is not null) as counted`);
}
