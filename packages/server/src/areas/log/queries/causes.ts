// Statements that read what other areas recorded and the log has to mention.
import type { Treatment } from '@colophon/contract';
import { byId, justFirst, keysTable, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { walkOf } from '#reindex';

export interface ArticleCause {
  readonly id: string;
  readonly author_id: string;
  /** Of an agent. */
  readonly owner_id: string | null;
  readonly status: string;
  readonly visibility: string;
  readonly published_revision_id: string | null;
  readonly removed_at: string | null;
  readonly updated_at: string;
  readonly moderated: boolean;
}

/** Returns articles in their present state. */
export async function findArticleCauses(
  tx: Tx,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, ArticleCause>> {
  const rows = await tx.rows(sql<ArticleCause>`
    select a.id, a.author_id, p.owner_principal_id as owner_id, a.status, a.visibility,
      a.published_revision_id, a.removed_at, a.updated_at,
      a.moderation_action_id is not null or a.removed_legally as moderated
    from ${keysTable(keys)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id`);
  return byId(rows);
}

export interface PublicationRow {
  readonly article_id: string;
  readonly id: string;
  readonly content_hash: string;
  readonly signature: string | null;
  readonly signature_key_id: string | null;
  readonly published_at: string;
  readonly signed_at: string | null;
}

/** An article whose publications from a time on are wanted. */
export interface PublishedSince extends RowKey {
  readonly since: string;
}

/** The number of publications read at once. */
export const publicationsAtOnce = 500;

/** Returns the next publications of articles, in the order of their times, after the one named. */
export function listPublications(
  tx: Tx,
  articles: readonly PublishedSince[],
  after: { readonly time: string; readonly id: string },
): Promise<readonly PublicationRow[]> {
  return tx.rows(sql<PublicationRow>`
    select r.article_id, r.id, r.content_hash, r.signature, r.signature_key_id, r.published_at, r.signed_at
    from unnest(
      ${articles.map(({ bucket }) => bucket)}::smallint[], ${articles.map(({ id }) => id)}::text[],
      ${articles.map(({ since }) => since)}::timestamptz[]
    ) as wanted (bucket, article_id, since)
    join revisions r on r.bucket = wanted.bucket and r.article_id = wanted.article_id
    where r.published_at is not null
      and greatest(r.published_at, r.signed_at) >= wanted.since
      and (greatest(r.published_at, r.signed_at), r.id) > (${after.time}::timestamptz, ${after.id})
    order by greatest(r.published_at, r.signed_at), r.id
    ${justFirst(publicationsAtOnce)}`);
}

/** A publication that a message reports because its article no longer shows it. */
export interface ReportedPublication {
  readonly bucket: number;
  readonly article_id: string;
  readonly revision_id: string;
  readonly signature: string | null;
  readonly signature_key_id: string | null;
  /** Null: it is the first publication with this signature. */
  readonly again_at: string | null;
  /** Whether readers got it, as far as the message says. */
  readonly shown?: boolean;
}

/** Returns reported publications with the hashes and first dates of their revisions. */
export function listReported(
  tx: Tx,
  reported: readonly ReportedPublication[],
): Promise<readonly (PublicationRow & { readonly again_at: string | null })[]> {
  return tx.rows(sql<PublicationRow & { again_at: string | null }>`
    select r.article_id, r.id, r.content_hash, given.signature, given.signature_key_id, r.published_at,
      null::timestamptz as signed_at, given.again_at
    from unnest(
      ${reported.map(({ bucket }) => bucket)}::smallint[],
      ${reported.map((one) => one.article_id)}::text[], ${reported.map((one) => one.revision_id)}::text[],
      ${reported.map((one) => one.signature)}::text[],
      ${reported.map((one) => one.signature_key_id)}::text[],
      ${reported.map((one) => one.again_at)}::text[]
    ) as given (bucket, article_id, revision_id, signature, signature_key_id, again_at)
    join revisions r on r.bucket = given.bucket and r.article_id = given.article_id and r.id = given.revision_id
    where r.published_at is not null
    order by coalesce(given.again_at, ''), r.id`);
}

export interface KeyCause {
  readonly id: string;
  readonly agent_id: string;
  readonly public_key: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
  readonly compromised_at: string | null;
}

/** Returns signing keys in their present state, in the order of their ids. */
export function listKeyCauses(db: Db, keys: readonly RowKey[]): Promise<readonly KeyCause[]> {
  return db.rows(sql<KeyCause>`
    select distinct k.id, k.agent_id, k.public_key, k.created_at, k.revoked_at, k.compromised_at
    from ${keysTable(keys)}
    join signing_keys k on k.bucket = named.bucket and k.id = named.id
    order by k.id`);
}

/** Returns the keys of an account's agents, in the order of their ids. */
export async function listKeysOfOwner(
  db: Db,
  owner: RowKey,
  after: string,
  limit: number,
): Promise<readonly RowKey[]> {
  return db.rows(sql<RowKey>`
    select k.bucket, k.id
    from principals p
    join signing_keys k on k.bucket = p.bucket and k.agent_id = p.id
    where p.bucket = ${owner.bucket} and p.owner_principal_id = ${owner.id} and k.id > ${after}
    order by k.id
    ${justFirst(limit)}`);
}

export interface ClosingCause {
  readonly id: string;
  readonly treatment: Treatment;
  readonly closed_at: string;
}

export function findClosing(db: Db, { bucket, id }: RowKey): Promise<ClosingCause | undefined> {
  return db.first(sql<ClosingCause>`
    select principal_id as id, treatment, closed_at
    from closings
    where bucket = ${bucket} and principal_id = ${id}`);
}

/** The public form of a moderation action. */
export interface ActionCause {
  readonly key: RowKey;
  readonly statement: {
    readonly id: string;
    readonly target_type: string;
    readonly action: string;
    readonly reason_code: string;
    readonly source: string;
    readonly created_at: string;
    readonly automated: boolean;
  };
}

export const listKeysAfter = walkOf({ from: sql`signing_keys s`, id: sql`s.id` });
export const listActionsAfter = walkOf({ from: sql`moderation_actions s`, id: sql`s.id` });
export const listClosingsAfter = walkOf({ from: sql`closings s`, id: sql`s.principal_id` });

async function count(
  db: Db,
  statement: ReturnType<typeof sql<{ count: number }>>,
): Promise<number> {
  return (await db.first(statement))?.count ?? 0;
}

export const countKeys = (db: Db) =>
  count(
    db,
    sql<{ count: number }>`
      -- every bucket: a rebuild goes through all of them
      select count(*) as count
      from signing_keys`,
  );

export const countActions = (db: Db) =>
  count(
    db,
    sql<{ count: number }>`
      -- every bucket: a rebuild goes through all of them
      select count(*) as count
      from moderation_actions`,
  );

export const countClosings = (db: Db) =>
  count(
    db,
    sql<{ count: number }>`
      -- every bucket: a rebuild goes through all of them
      select count(*) as count
      from closings`,
  );
