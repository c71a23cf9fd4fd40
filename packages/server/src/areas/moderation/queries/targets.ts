// Statements that read the targets of reports, of any kind and in any status.
import type { TargetType } from '@colophon/contract';
import { sql } from '#database';
import type { Db } from '#database';
import { bucketOf } from '#lib/id';

export interface TargetRow {
  readonly id: string;
  /** A status of the target's kind; `hidden` also for media. */
  readonly status: string;
  /** For a principal: its own id. */
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly deindexed: boolean;
  readonly removed_legally: boolean;
  readonly removed_at: string | null;
  readonly reason_code: string | null;
  readonly excerpt: string | null;
  /** Only for a comment. */
  readonly article_id: string | null;
  /** Status of the target article, or of the article of the target comment; null for other targets. */
  readonly article_status:
    | 'draft'
    | 'published'
    | 'unpublished'
    | 'hidden'
    | 'removed'
    | 'erased'
    | null;
  readonly article_visibility: 'public' | 'unlisted' | 'private' | null;
  readonly article_published_revision_id: string | null;
  readonly article_removed_legally: boolean | null;
  /** For a closed account whose works continue under a pseudonym. */
  readonly pseudonymous: boolean;
}

export interface Reference {
  readonly target_type: TargetType;
  readonly target_id: string;
}

const articleColumns = sql`
      a.status as article_status, a.visibility as article_visibility,
      a.published_revision_id as article_published_revision_id,
      a.removed_legally as article_removed_legally`;

const noArticle = sql`
      null as article_id, null as article_status, null as article_visibility,
      null as article_published_revision_id, null as article_removed_legally`;

type Look = (db: Db, ids: readonly string[]) => Promise<readonly TargetRow[]>;

const listArticles: Look = (db, ids) =>
  db.rows(sql<TargetRow>`
    select
      a.id, a.status, a.author_id, p.owner_principal_id, a.deindexed, a.removed_legally, a.removed_at,
      a.reason_code, c.title as excerpt, null as article_id, ${articleColumns}, false as pseudonymous
    from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) as wanted (bucket, id)
    join articles a on a.bucket = wanted.bucket and a.id = wanted.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    left join revisions r
      on r.bucket = a.bucket and r.article_id = a.id
      and r.id = coalesce(a.published_revision_id, a.latest_revision_id)
    left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    order by a.id`);

const listComments: Look = (db, ids) =>
  db.rows(sql<TargetRow>`
    select
      m.id, m.status, m.author_id, m.owner_principal_id, false as deindexed, m.removed_legally,
      m.removed_at, m.reason_code, left(m.content, 280) as excerpt, m.article_id, ${articleColumns},
      false as pseudonymous
    from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) as wanted (bucket, id)
    join comments m on m.bucket = wanted.bucket and m.id = wanted.id
    join articles a on a.bucket = m.bucket and a.id = m.article_id
    order by m.id`);

const listPrincipals: Look = (db, ids) =>
  db.rows(sql<TargetRow>`
    select
      p.id, p.status, p.id as author_id, p.owner_principal_id, p.deindexed, false as removed_legally,
      p.closed_at as removed_at, null as reason_code, p.username as excerpt, ${noArticle},
      coalesce(p.treatment = 'pseudonymise', false) as pseudonymous
    from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) as wanted (bucket, id)
    join principals p on p.bucket = wanted.bucket and p.id = wanted.id
    order by p.id`);

const listMedia: Look = (db, ids) =>
  db.rows(sql<TargetRow>`
    select
      m.id, case when m.hidden then 'hidden' else m.status end as status,
      m.owner_principal_id as author_id, p.owner_principal_id, false as deindexed, m.removed_legally,
      m.removed_at, m.reason_code, left(m.alt_text, 280) as excerpt, ${noArticle},
      false as pseudonymous
    from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) as wanted (bucket, id)
    join media m on m.bucket = wanted.bucket and m.id = wanted.id
    join principals p on p.bucket = m.bucket and p.id = m.owner_principal_id
    order by m.id`);

const looks: Readonly<Record<TargetType, Look>> = {
  article: listArticles,
  comment: listComments,
  principal: listPrincipals,
  media: listMedia,
};

/** What a moderator examines: the whole text, or whether there are bytes. */
export interface TargetContent {
  readonly content: string | null;
  readonly has_bytes: boolean;
}

type Read = (db: Db, id: string) => Promise<TargetContent | undefined>;

/**
 * Reads the published revision, so that later edits by the author do not change the basis of the decision.
 */
const readArticle: Read = (db, id) =>
  db.first(sql<TargetContent>`
    select c.content, false as has_bytes
    from articles a
    cross join lateral (
      select bucket, held_hash
      from revisions
      where bucket = a.bucket and article_id = a.id and id = coalesce(a.published_revision_id, a.latest_revision_id)
      limit 1
    ) as r
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.bucket = ${bucketOf(id)} and a.id = ${id}`);

const readComment: Read = (db, id) =>
  db.first(sql<TargetContent>`
    select content, false as has_bytes
    from comments
    where bucket = ${bucketOf(id)} and id = ${id}`);

const readFile: Read = (db, id) =>
  db.first(sql<TargetContent>`
    select null as content, held_checksum is not null as has_bytes
    from media
    where bucket = ${bucketOf(id)} and id = ${id}`);

const reads: Readonly<Partial<Record<TargetType, Read>>> = {
  article: readArticle,
  comment: readComment,
  media: readFile,
};

/** Returns the whole content, whatever moderators did. */
export async function findContent(db: Db, reference: Reference): Promise<TargetContent> {
  const row = await reads[reference.target_type]?.(db, reference.target_id);
  return row ?? { content: null, has_bytes: false };
}

export type Targets = (reference: Reference) => TargetRow | undefined;

/** Finds the targets of references: one statement per kind of target, all at once. */
export async function findTargets(db: Db, references: readonly Reference[]): Promise<Targets> {
  const byType = Map.groupBy(references, ({ target_type: type }) => type);
  const found = new Map<string, TargetRow>();
  await Promise.all(
    [...byType].map(async ([type, some]) => {
      const ids = [...new Set(some.map(({ target_id: id }) => id))];
      for (const row of await looks[type](db, ids)) found.set(`${type} ${row.id}`, row);
    }),
  );
  return ({ target_type: type, target_id: id }) => found.get(`${type} ${id}`);
}
