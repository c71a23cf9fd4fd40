// The statement that returns two revisions to compare.
import { sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';
import { articleColumns } from './articles.ts';
import type { ArticleRow } from './articles.ts';

/** An article with two of its revisions; the columns of a missing revision are null. */
export interface ComparedRow extends ArticleRow {
  readonly to_id: string | null;
  readonly to_published_at: string | null;
  readonly to_title: string | null;
  readonly to_content: string | null;
  readonly from_id: string | null;
  readonly from_published_at: string | null;
  readonly from_title: string | null;
  readonly from_content: string | null;
  readonly metadata_changed: boolean;
}

export interface Compared extends RowKey {
  /** null: the newest revision before `to` that the viewer may see. */
  readonly from: string | null;
  /** null: the published revision, or the newest when there is none. */
  readonly to: string | null;
  /** The author or owner, who also sees unpublished revisions; null: no viewer does. */
  readonly allFor: string | null;
  /** Whether the viewer is a moderator, who sees all. */
  readonly all: boolean;
}

export function findCompared(db: Db, compared: Compared): Promise<ComparedRow | undefined> {
  const { bucket, id, from, to, allFor, all } = compared;
  return db.first(sql<ComparedRow>`
    select ${articleColumns},
      t.id as to_id, t.published_at as to_published_at, tc.title as to_title, tc.content as to_content,
      f.id as from_id, f.published_at as from_published_at, fc.title as from_title,
      fc.content as from_content,
      coalesce(tc.metadata::text, '{}') <> coalesce(fc.metadata::text, '{}') as metadata_changed
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    left join revisions t
      on t.bucket = a.bucket
      and t.article_id = a.id
      and t.id = coalesce(${to}::text, a.published_revision_id, a.latest_revision_id)
    left join contents tc on tc.bucket = t.bucket and tc.hash = t.held_hash
    left join revisions f
      on f.bucket = a.bucket
      and f.article_id = a.id
      and f.id = coalesce(
        ${from}::text,
        case
          when ${all} or ${allFor}::text in (a.author_id, p.owner_principal_id)
          then t.previous_revision_id
          else (
            select max(r.id)
            from revisions r
            where r.bucket = ${bucket}
              and r.article_id = ${id}
              and r.id < t.id
              and r.published_at is not null
          )
        end
      )
    left join contents fc on fc.bucket = f.bucket and fc.hash = f.held_hash
    where a.bucket = ${bucket} and a.id = ${id}`);
}
