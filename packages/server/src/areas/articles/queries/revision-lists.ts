// Statements that read the revisions of an article: pages of them, their sizes, and the proof of one.
import { atMost, whenGiven, sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';
import { articleColumns, revisionColumns, signatureJoin, summaryColumns } from './articles.ts';
import type { ArticleRow, RevisionColumns, RevisionRow } from './articles.ts';

/** A revision with its signature's key and the previous revision. */
export interface ProofRow extends ArticleRow, RevisionColumns {
  readonly signed_at: string | null;
  readonly key_agent_id: string | null;
  readonly key_created_at: string | null;
  readonly key_compromised_at: string | null;
  readonly previous_content_hash: string | null;
  readonly previous_published_at: string | null;
}

export function findProof(db: Db, key: RowKey, revisionId: string): Promise<ProofRow | undefined> {
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
    where a.bucket = ${key.bucket} and a.id = ${key.id}`);
}

/** The length of a text, as people count it. */
export interface TextSize {
  readonly characters: number;
  /** Only the beginning of a long text is counted; the rest is assumed to be alike. */
  readonly isExact: boolean;
}

interface SizeRow {
  readonly id: string;
  readonly bytes: number;
  readonly beginning: number;
  readonly beginning_bytes: number;
}

function sizeIn({ bytes, beginning, beginning_bytes }: SizeRow): TextSize {
  if (bytes === beginning_bytes) return { characters: beginning, isExact: true };
  return { characters: Math.round((beginning * bytes) / beginning_bytes), isExact: false };
}

/** Returns the sizes of the texts of these revisions, for the author or the agent's owner, by revision. */
export async function findSizes(
  db: Db,
  key: RowKey,
  { viewerId, ids }: { readonly viewerId: string; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, TextSize>> {
  // The bytes are read from the row, and of a long text only the beginning is unpacked.
  const rows = await db.rows(sql<SizeRow>`
    select r.id, octet_length(c.content) as bytes,
      char_length(left(c.content, 10000)) as beginning,
      octet_length(left(c.content, 10000)) as beginning_bytes
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = any(${ids})
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.bucket = ${key.bucket}
      and a.id = ${key.id}
      and ${viewerId} in (a.author_id, p.owner_principal_id)`);
  return new Map(rows.map((row) => [row.id, sizeIn(row)]));
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
      whenGiven(page.before, (id) => sql`r.id < ${id}`),
      sql`(
        r.published_at is not null
        or ${page.all}
        or ${page.allFor}::text in (a.author_id, p.owner_principal_id)
      )`,
    ])}
    order by r.id desc
    ${atMost(page.limit + 1)}`);
}
