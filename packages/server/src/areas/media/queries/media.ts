// Statements on media records.
import type { MediaType, ModerationAction, ModerationSource, ReasonCode } from '@colophon/contract';
import { atMost, readById, whenGiven, sql } from '#database';
import type { Db, Tx } from '#database';
import { bucketOf, isId } from '#lib/id';
import type { RowKey } from '#lib/id';

export type Kind = 'image' | 'video' | 'audio' | 'document';

export interface MediaRow {
  readonly id: string;
  readonly owner_principal_id: string;
  readonly status: 'pending' | 'ready' | 'rejected' | 'removed';
  readonly kind: Kind;
  readonly source: 'upload' | 'generated';
  readonly alt_text: string | null;
  readonly content_type: MediaType | null;
  readonly byte_size: number | null;
  readonly checksum: string | null;
  readonly held_checksum: string | null;
  readonly rejection_reason: string | null;
  readonly hidden: boolean;
  readonly created_at: string;
  readonly finalized_at: string | null;
  readonly removed_at: string | null;
  readonly removed_legally: boolean;
  readonly reason_code: string | null;
  /** For a hidden record of an agent: the agent's owner. */
  readonly answerable_id: string | null;
  /** The moderation action in force; null: none. */
  readonly moderation: {
    readonly action_id: string;
    readonly action: ModerationAction;
    readonly reason_code: ReasonCode;
    readonly source: ModerationSource;
    readonly created_at: string;
  } | null;
}

/** Columns of `media m`. Owners and actions are read only for records that a moderator changed. */
export const mediaColumns = sql`
    m.id, m.owner_principal_id, m.status, m.kind, m.source, m.alt_text, m.content_type, m.byte_size,
    m.checksum, m.held_checksum, m.rejection_reason, m.hidden, m.created_at, m.finalized_at,
    m.removed_at, m.removed_legally, m.reason_code,
    case when m.hidden then (
      select o.owner_principal_id
      from principals o
      where o.bucket = m.bucket and o.id = m.owner_principal_id
    ) end as answerable_id,
    case when m.hidden or m.reason_code is not null then (
      select json_build_object(
        'action_id', a.id, 'action', a.action, 'reason_code', a.reason_code, 'source', a.source,
        'created_at', to_char(a.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      )
      from moderation_actions a
      where a.bucket = m.bucket
        and a.target_type = 'media'
        and a.target_id = m.id
        and a.action in ('hide', 'remove')
        and a.lifted_at is null
      order by a.id desc
      limit 1
    ) end as moderation`;

const record = readById(
  (bucket, id) => sql<MediaRow>`
    select ${mediaColumns}
    from media m
    where m.bucket = ${bucket} and m.id = ${id}`,
);

export function findMedia(db: Db, key: RowKey): Promise<MediaRow | undefined> {
  return db.find(record, key);
}

export function lockMedia(tx: Tx, key: RowKey): Promise<MediaRow | undefined> {
  return tx.first(sql<MediaRow>`
    select ${mediaColumns}
    from media m
    where m.bucket = ${key.bucket} and m.id = ${key.id}
    for update`);
}

export interface MediaPage {
  readonly bucket: number;
  readonly ownerId: string;
  readonly status: string | undefined;
  readonly kind: string | undefined;
  readonly before: string | undefined;
  readonly limit: number;
}

/** Records that are not ready are few, and so are files that are not images: both are in indexes of their own. */
const withStatus = (status: string) =>
  status === 'ready' ? sql`m.status = 'ready'` : sql`m.status <> 'ready' and m.status = ${status}`;

const withKind = (kind: string) =>
  kind === 'image' ? sql`m.kind = 'image'` : sql`m.kind <> 'image' and m.kind = ${kind}`;

export function listOwned(db: Db, page: MediaPage): Promise<readonly MediaRow[]> {
  return db.rows(sql<MediaRow>`
    select ${mediaColumns}
    from media m
    ${sql.where([
      sql`m.bucket = ${page.bucket} and m.owner_principal_id = ${page.ownerId}`,
      whenGiven(page.status, withStatus),
      whenGiven(page.kind, withKind),
      whenGiven(page.before, (id) => sql`m.id < ${id}`),
    ])}
    order by m.id desc
    ${atMost(page.limit + 1)}`);
}

export interface NewMedia extends RowKey {
  readonly ownerId: string;
  readonly kind: Kind;
  readonly source: string;
  readonly altText: string | null;
  /** As JSON. */
  readonly generationMetadata: string | null;
  readonly now: Date;
}

export function insertMedia(tx: Tx, media: NewMedia): Promise<number> {
  return tx.run(sql`
    insert into media (
      bucket, id, owner_principal_id, status, kind, source, alt_text, generation_metadata, created_at
    )
    values (
      ${media.bucket}, ${media.id}, ${media.ownerId}, 'pending', ${media.kind}, ${media.source},
      ${media.altText}, ${media.generationMetadata}, ${media.now.toISOString()}
    )`);
}

export function setAltText(tx: Tx, key: RowKey, altText: string | null): Promise<number> {
  return tx.run(sql`
    update media
    set alt_text = ${altText}
    where bucket = ${key.bucket} and id = ${key.id}`);
}

/** Rejects a pending record; returns undefined when it is no longer pending. */
export async function setRejected(
  tx: Tx,
  key: RowKey,
  reason: string,
  now: Date,
): Promise<MediaRow | undefined> {
  const changed = tx.run(sql`
    update media as m
    set status = 'rejected', rejection_reason = ${reason}, finalized_at = ${now.toISOString()}
    where m.bucket = ${key.bucket} and m.id = ${key.id} and m.status = 'pending'`);
  const [count, row] = await Promise.all([changed, findMedia(tx, key)]);
  return count === 0 ? undefined : row;
}

/**
 * Returns whether an id names a ready image of this principal that is not hidden. It is locked until the commit: its
 * deletion, or the erasure of another article that names it, comes before or afterwards.
 */
export async function lockReadyImage(tx: Tx, ownerId: string, id: string): Promise<boolean> {
  const bucket = bucketOf(ownerId);
  if (!isId(id) || bucketOf(id) !== bucket) return false;
  const row = await tx.first(sql<{ readonly id: string }>`
    select id
    from media
    where bucket = ${bucket}
      and id = ${id}
      and owner_principal_id = ${ownerId}
      and kind = 'image'
      and status = 'ready'
      and not hidden
    for key share`);
  return row !== undefined;
}

/** Deletes reservations made before that time without bytes, and returns how many. */
export function deleteUnfilled(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    with old as materialized (
      -- every bucket: reservations end by their age
      select bucket, id
      from media
      where status = 'pending' and created_at < ${before.toISOString()}
      limit ${limit}
    )
    delete from media
    using old
    where media.bucket = old.bucket
      and media.id = old.id
      and media.status = 'pending'`);
}
