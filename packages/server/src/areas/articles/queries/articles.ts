// Statements on single articles: their columns, the join and the columns of one revision, locking one, changing its
// state.
import { readById, sql } from '#database';
import type { Db, KeyMember, Statement, Tx } from '#database';
import type { RowKey } from '#lib/id';

type Status = 'draft' | 'published' | 'unpublished' | 'hidden' | 'removed' | 'erased';
type Visibility = 'public' | 'unlisted' | 'private';
type Disclosure = 'human_authored' | 'ai_assisted' | 'ai_generated';

/** The columns of an article that do not depend on the revision. */
export interface ArticleRow {
  readonly id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly status: Status;
  readonly visibility: Visibility;
  readonly language: string;
  readonly disclosure: Disclosure;
  readonly canonical_url: string | null;
  readonly featured_media_id: string | null;
  readonly latest_revision_id: string;
  readonly published_revision_id: string | null;
  readonly published_at: string | null;
  readonly created_at: string;
  /** The last change that readers may know of. */
  readonly updated_at: string;
  /** The same for the author, who also knows of revisions that are not published. */
  readonly edited_at: string;
  readonly removed_at: string | null;
  readonly removed_legally: boolean;
  readonly reason_code: string | null;
  readonly deindexed: boolean;
}

export interface AuthorColumns {
  readonly author_kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string | null;
  readonly model: string | null;
  readonly provider: string | null;
}

export interface RevisionColumns {
  readonly revision_id: string;
  readonly previous_revision_id: string | null;
  readonly content_hash: string;
  readonly signing_base: string;
  readonly signature: string | null;
  readonly signature_key_id: string | null;
  readonly revision_created_at: string;
  readonly revision_published_at: string | null;
  /** Key that signed the revision; null when it is not signed. */
  readonly public_key: string | null;
  readonly key_revoked_at: string | null;
}

/** A revision with its article; the text is null after an erasure. */
export interface RevisionRow extends ArticleRow, AuthorColumns, RevisionColumns {
  readonly title: string | null;
  /** JSON text. */
  readonly metadata: string | null;
  readonly content: string | null;
}

/** A removed or hidden image is not featured; it is featured again once restored. */
export const articleColumns = sql`
    a.id, a.author_id, p.owner_principal_id, a.status, a.visibility, a.language, a.disclosure,
    a.canonical_url, a.latest_revision_id, a.published_revision_id,
    a.published_at, a.created_at, a.updated_at, a.removed_at, a.removed_legally, a.reason_code,
    a.deindexed,
    case
      when a.latest_revision_id <> a.published_revision_id then (
        select greatest(a.updated_at, l.created_at)
        from revisions l
        where l.bucket = a.bucket and l.article_id = a.id and l.id = a.latest_revision_id
      )
      else a.updated_at
    end as edited_at,
    (
      select m.id
      from media m
      where m.bucket = a.bucket and m.id = a.featured_media_id and m.status = 'ready' and not m.hidden
    ) as featured_media_id`;

/** What statements read of a revision. */
export const joinedColumns = sql`bucket, article_id, id, previous_revision_id, content_hash, held_hash, signing_base,
        signature, signature_key_id, signed_at, created_at, published_at`;

const ofArticle = sql`a.bucket`;

/**
 * Joins the revision `r` of `articles a` with this id, found by one index lookup. Without the limit the planner, which
 * expects one revision for each article, may read all revisions of the article and compare their ids afterwards.
 */
export function revisionAs(id: Statement, bucket: KeyMember = ofArticle): Statement {
  return sql`cross join lateral (
      select ${joinedColumns}
      from revisions
      where bucket = ${bucket} and article_id = a.id and id = ${id}
      limit 1
    ) as r`;
}

/** Joins of the revision `r` of `articles a` that is shown. */
export const shownRevision = {
  /** The published one. */
  published: revisionAs(sql`a.published_revision_id`),
  /** The published one, or the newest one of an article that is not published. */
  orNewest: revisionAs(sql`coalesce(a.published_revision_id, a.latest_revision_id)`),
} as const;

/** Of the revision `r`. Requires `signatureJoin`. */
export const revisionColumns = sql`
    r.id as revision_id, r.previous_revision_id, r.content_hash, r.signing_base, r.signature,
    r.signature_key_id, r.created_at as revision_created_at, r.published_at as revision_published_at,
    k.public_key, k.revoked_at as key_revoked_at`;

/** The key that signed a revision: an author's keys are stored in the author's bucket. */
export const signatureJoin = sql`left join signing_keys k
      on k.bucket = r.bucket and k.id = r.signature_key_id`;

/**
 * An article with one revision, without its counts. Requires `signatureJoin`. The metadata stay text: parsing
 * those of a whole list would block the event loop for 100 ms and more.
 */
export const summaryColumns = sql`
    ${articleColumns},
    a.author_kind, p.username, p.display_name, p.model, p.provider,
    ${revisionColumns},
    c.title, c.metadata::text as metadata`;

const textless = readById(
  (bucket, id) => sql<ArticleRow>`
    select ${articleColumns}
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    where a.bucket = ${bucket} and a.id = ${id}`,
);

/** Returns the columns that decide who may see an article, without its text. */
export function findArticle(db: Db, key: RowKey): Promise<ArticleRow | undefined> {
  return db.find(textless, key);
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
