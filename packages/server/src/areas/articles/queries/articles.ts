// Statements on single articles: reading one, locking one, changing its state.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { articleColumns, shownColumns, signatureJoin } from './rows.ts';
import type { ArticleRow, ShownRow } from './rows.ts';

/**
 * Returns an article with the revision for the viewer: the published one, or the newest when there is none or
 * when the author or owner requests it.
 */
export function findShown(
  db: Db,
  key: RowKey,
  latestFor: string | null,
): Promise<ShownRow | undefined> {
  return db.first(sql<ShownRow>`
    select ${shownColumns}, c.content
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    join revisions r
      on r.bucket = a.bucket
      and r.article_id = a.id
      and r.id = case
        when a.published_revision_id is null
          or ${latestFor}::text in (a.author_id, p.owner_principal_id)
        then a.latest_revision_id
        else a.published_revision_id
      end
    left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.bucket = ${key.bucket} and a.id = ${key.id}`);
}

/** Returns the columns that decide who may see an article, without its text. */
export function findArticle(db: Db, key: RowKey): Promise<ArticleRow | undefined> {
  return db.first(sql<ArticleRow>`
    select ${articleColumns}
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    where a.bucket = ${key.bucket} and a.id = ${key.id}`);
}

/**
 * Locks the article until the transaction ends. A later statement must read the text: after a wait, a join in
 * this one would still return the revisions from before the wait.
 */
export function lockArticle(tx: Tx, key: RowKey): Promise<ArticleRow | undefined> {
  return tx.first(sql<ArticleRow>`
    select ${articleColumns}
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    where a.bucket = ${key.bucket} and a.id = ${key.id}
    for no key update of a`);
}

export interface Changes {
  readonly visibility: string;
  readonly disclosure: string;
  readonly canonicalUrl: string | null;
  readonly language: string;
  /** undefined keeps the stored value; a hidden image reads as null but stays stored. */
  readonly featuredMediaId: string | null | undefined;
  readonly now: Date;
}

export function setDetails(tx: Tx, key: RowKey, changes: Changes): Promise<number> {
  return tx.run(sql`
    update articles
    set visibility = ${changes.visibility}, disclosure = ${changes.disclosure},
      canonical_url = ${changes.canonicalUrl}, language = ${changes.language},
      featured_media_id = case
        when ${changes.featuredMediaId !== undefined} then ${changes.featuredMediaId ?? null}
        else featured_media_id
      end,
      updated_at = ${changes.now.toISOString()}
    where bucket = ${key.bucket} and id = ${key.id}`);
}

export interface NewSignature {
  readonly signature: string;
  readonly keyId: string;
  readonly signedAt: string;
}

export interface Publication {
  readonly revisionId: string;
  readonly publishedAt: string;
  /** undefined: the revision keeps its signature. */
  readonly signature: NewSignature | undefined;
  /** Whether the revision has a signature after this statement. */
  readonly signed: boolean;
  readonly now: Date;
}

/**
 * Moves the published pointer, dates the revision's own first publication and stores a signature, in one
 * statement. A hidden article stays hidden, and one removed meanwhile does not change.
 */
export function setPublished(tx: Tx, key: RowKey, publication: Publication): Promise<number> {
  const now = publication.now.toISOString();
  const { signature } = publication;
  return tx.run(sql`
    with revision as (
      update revisions
      set published_at = coalesce(published_at, ${now}),
        signature = coalesce(${signature?.signature}::text, signature),
        signature_key_id = coalesce(${signature?.keyId}::text, signature_key_id),
        signed_at = coalesce(${signature?.signedAt}::timestamptz, signed_at)
      where bucket = ${key.bucket} and article_id = ${key.id} and id = ${publication.revisionId}
    )
    update articles
    set status = case when status = 'hidden' then status else 'published' end, published_revision_id = ${publication.revisionId},
      signed = ${publication.signed}, published_at = ${publication.publishedAt}, updated_at = ${now}
    where bucket = ${key.bucket}
      and id = ${key.id}
      and status in ('draft', 'published', 'hidden')`);
}

/** Records a publication that the ids of revisions and their first dates do not show. */
export function insertRepublication(
  tx: Tx,
  key: RowKey,
  { revisionId, now }: Pick<Publication, 'revisionId' | 'now'>,
): Promise<number> {
  return tx.run(sql`
    insert into republications (bucket, article_id, published_at, revision_id)
    values (${key.bucket}, ${key.id}, ${now.toISOString()}, ${revisionId})`);
}

/** Removes the article for readers, who get 410; its id, edges, hashes and text stay. */
export function setRemoved(tx: Tx, key: RowKey, now: Date): Promise<number> {
  return tx.run(sql`
    update articles
    set status = 'removed', removed_at = ${now.toISOString()}, updated_at = ${now.toISOString()}
    where bucket = ${key.bucket} and id = ${key.id} and status not in ('removed', 'erased')`);
}

export interface DerivedRow {
  readonly indexed: boolean;
  readonly in_sitemap: boolean;
  readonly pictured: boolean;
}

/** Returns whether each derived row was built from the published revision. */
export async function findDerived(db: Db, key: RowKey): Promise<DerivedRow> {
  const row = await db.first(sql<DerivedRow>`
    select coalesce(s.revision_id = a.published_revision_id, false) as indexed,
      coalesce(e.revision_id = a.published_revision_id, false) as in_sitemap,
      coalesce(o.revision_id = a.published_revision_id, false) as pictured
    from articles a
    left join article_search s on s.bucket = a.bucket and s.article_id = a.id
    left join sitemap_entries e on e.bucket = a.bucket and e.article_id = a.id
    left join og_images o on o.bucket = a.bucket and o.article_id = a.id
    where a.bucket = ${key.bucket} and a.id = ${key.id}`);
  return row ?? { indexed: false, in_sitemap: false, pictured: false };
}
