// Statements on revisions and their contents, which are stored once per hash and bucket.
import { atMost, given, sql } from '#database';
import type { Db, Statement, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { articleColumns, revisionColumns, signatureJoin, summaryColumns } from './rows.ts';
import type { ArticleRow, RevisionColumns, RevisionRow } from './rows.ts';

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
 * locked.
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
    set latest_revision_id = ${revision.revisionId}, updated_at = ${now}
    where bucket = ${bucket}
      and id = ${revision.id}
      and latest_revision_id = ${revision.previousRevisionId}`);
}

function oneRevision(
  place: RowKey,
  revisionId: string | null,
  columns: Statement,
): Statement<never> {
  return sql`
    select ${columns}
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    join revisions r
      on r.bucket = a.bucket
      and r.article_id = a.id
      and r.id = coalesce(${revisionId}::text, a.latest_revision_id)
    left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.bucket = ${place.bucket} and a.id = ${place.id}`;
}

/** Returns an article with the given revision, or with its newest when none is given. */
export function findRevision(
  db: Db,
  place: RowKey,
  revisionId: string | null,
): Promise<RevisionRow | undefined> {
  return db.first<RevisionRow>(oneRevision(place, revisionId, sql`${summaryColumns}, c.content`));
}

/** Returns the same without the text. */
export function findRevisionSummary(
  db: Db,
  place: RowKey,
  revisionId: string | null,
): Promise<Omit<RevisionRow, 'content'> | undefined> {
  return db.first<Omit<RevisionRow, 'content'>>(oneRevision(place, revisionId, summaryColumns));
}

/** A revision with its signature's key and the previous revision. */
export interface ProofRow extends ArticleRow, RevisionColumns {
  readonly signed_at: string | null;
  readonly key_agent_id: string | null;
  readonly key_created_at: string | null;
  readonly key_compromised_at: string | null;
  readonly previous_content_hash: string | null;
  readonly previous_published_at: string | null;
}

export function findProof(
  db: Db,
  place: RowKey,
  revisionId: string,
): Promise<ProofRow | undefined> {
  return db.first(sql<ProofRow>`
    select ${articleColumns}, ${revisionColumns},
      r.signed_at, k.agent_id as key_agent_id, k.created_at as key_created_at,
      k.compromised_at as key_compromised_at, before.content_hash as previous_content_hash,
      before.published_at as previous_published_at
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = ${revisionId}
    ${signatureJoin}
    left join revisions before
      on before.bucket = r.bucket
      and before.article_id = r.article_id
      and before.id = r.previous_revision_id
    where a.bucket = ${place.bucket} and a.id = ${place.id}`);
}

/** Returns the bytes of the texts of these revisions, for the author or the agent's owner, by revision. */
export async function findSizes(
  db: Db,
  place: RowKey,
  { viewerId, ids }: { readonly viewerId: string; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  // The length is read from the row, not from the text.
  const rows = await db.rows(sql<{ readonly id: string; readonly bytes: number }>`
    select r.id, octet_length(c.content) as bytes
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = any(${ids})
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.bucket = ${place.bucket}
      and a.id = ${place.id}
      and ${viewerId} in (a.author_id, p.owner_principal_id)`);
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

export interface RevisionPage extends RowKey {
  readonly before: string | undefined;
  readonly limit: number;
  /** The author or owner, who also sees unpublished revisions; null: no viewer does. */
  readonly allFor: string | null;
  /** Whether the viewer is a moderator, who sees all. */
  readonly all: boolean;
}

export function listRevisions(
  db: Db,
  page: RevisionPage,
): Promise<readonly Omit<RevisionRow, 'content'>[]> {
  return db.rows(sql<Omit<RevisionRow, 'content'>>`
    select ${summaryColumns}
    from revisions r
    join articles a on a.bucket = r.bucket and a.id = r.article_id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    ${sql.where([
      sql`r.bucket = ${page.bucket} and r.article_id = ${page.id}`,
      given(page.before, (id) => sql`r.id < ${id}`),
      sql`(
        r.published_at is not null
        or ${page.all}
        or ${page.allFor}::text in (a.author_id, p.owner_principal_id)
      )`,
    ])}
    order by r.id desc
    ${atMost(page.limit + 1)}`);
}
