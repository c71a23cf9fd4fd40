// Statements on revisions and their contents, which are stored once per hash and bucket.
import { sql } from '#database';
import type { Db, Statement, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { revisionAs, signatureJoin, summaryColumns } from './articles.ts';
import type { RevisionRow } from './articles.ts';

export interface NewContent {
  readonly hash: string;
  readonly title: string;
  readonly content: string;
  /** RFC 8785 form, as it was hashed. */
  readonly metadata: string;
  readonly excerpt: string;
}

function insertContent(bucket: number, content: NewContent, now: string): Statement {
  return sql`insert into contents (bucket, hash, title, content, metadata, excerpt, created_at)
      values (
        ${bucket}, ${content.hash}, ${content.title}, ${content.content}, ${content.metadata},
        ${content.excerpt}, ${now}
      )
      on conflict (bucket, hash) do nothing`;
}

export interface NewArticle extends RowKey {
  readonly authorId: string;
  readonly authorKind: 'human' | 'agent';
  readonly visibility: string;
  readonly language: string;
  readonly disclosure: string;
  readonly canonicalUrl: string | null;
  readonly revisionId: string;
  readonly signingBase: string;
  readonly content: NewContent;
  readonly now: Date;
}

/** Inserts content, article and first revision in one statement. */
export function insertArticle(tx: Tx, article: NewArticle): Promise<number> {
  const { bucket, content } = article;
  const now = article.now.toISOString();
  return tx.run(sql`
    with kept as (
      ${insertContent(bucket, content, now)}
    ), article as (
      insert into articles (
        bucket, id, author_id, author_kind, status, visibility, language, disclosure, canonical_url,
        latest_revision_id, created_at, updated_at
      )
      values (
        ${bucket}, ${article.id}, ${article.authorId}, ${article.authorKind}, 'draft',
        ${article.visibility}, ${article.language}, ${article.disclosure}, ${article.canonicalUrl},
        ${article.revisionId}, ${now}, ${now}
      )
    )
    insert into revisions (bucket, article_id, id, content_hash, signing_base, created_at)
    values (${bucket}, ${article.id}, ${article.revisionId}, ${content.hash}, ${article.signingBase}, ${now})`);
}

export interface NewRevision extends RowKey {
  readonly revisionId: string;
  readonly previousRevisionId: string;
  readonly signingBase: string;
  readonly content: NewContent;
  readonly now: Date;
}

/**
 * Inserts content and revision and moves the pointer to the newest, in one statement. The article must be
 * locked. The date of the last change of a published article stays until the revision is published, because
 * readers see that date.
 */
export function insertRevision(tx: Tx, revision: NewRevision): Promise<number> {
  const { bucket, content } = revision;
  const now = revision.now.toISOString();
  return tx.run(sql`
    with kept as (
      ${insertContent(bucket, content, now)}
    ), made as (
      insert into revisions (
        bucket, article_id, id, previous_revision_id, content_hash, signing_base, created_at
      )
      values (
        ${bucket}, ${revision.id}, ${revision.revisionId}, ${revision.previousRevisionId},
        ${content.hash}, ${revision.signingBase}, ${now}
      )
    )
    update articles
    set latest_revision_id = ${revision.revisionId},
      updated_at = case when published_revision_id is null then ${now}::timestamptz else updated_at end
    where bucket = ${bucket}
      and id = ${revision.id}
      and latest_revision_id = ${revision.previousRevisionId}`);
}

function oneRevision(key: RowKey, revisionId: string | null, columns: Statement): Statement<never> {
  return sql`
    select ${columns}
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    ${revisionAs(sql`coalesce(${revisionId}::text, a.latest_revision_id)`)}
    left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.bucket = ${key.bucket} and a.id = ${key.id}`;
}

/** Returns an article with the given revision, or with its newest when none is given. */
export function findRevision(
  db: Db,
  key: RowKey,
  revisionId: string | null,
): Promise<RevisionRow | undefined> {
  return db.first<RevisionRow>(oneRevision(key, revisionId, sql`${summaryColumns}, c.content`));
}

/** Returns the same without the text. */
export function findRevisionSummary(
  db: Db,
  key: RowKey,
  revisionId: string | null,
): Promise<Omit<RevisionRow, 'content'> | undefined> {
  return db.first<Omit<RevisionRow, 'content'>>(oneRevision(key, revisionId, summaryColumns));
}
