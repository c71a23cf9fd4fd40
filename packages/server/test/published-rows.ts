// Published articles with their revisions, inserted as rows: thousands in a statement, for exports and imports.
import type pg from 'pg';
import { bucketOf } from '#lib/id';

/** One revision of an article. */
export interface PublishedRow {
  readonly id: string;
  readonly revision: string;
  readonly previous: string | null;
  /** The revision of this article that is published. */
  readonly newest: string;
  readonly hash: string;
  readonly title: string;
  readonly content: string;
  /** How often the content is repeated. */
  readonly times: number;
  readonly metadata: object;
}

/** Inserts the articles of these revisions. Ids must be of the bucket of the author. */
export async function insertPublished(
  client: pg.Client,
  author: { readonly id: string },
  rows: readonly PublishedRow[],
): Promise<void> {
  await client.query(
    `with rows as materialized (
      select r.*, repeat(r.content, r.times) as whole
      from json_to_recordset($1::json) as r (
        id text, revision text, previous text, newest text, hash text, title text, content text,
        times integer, metadata json
      )
    ), kept as (
      insert into contents (bucket, hash, title, content, metadata, excerpt, created_at)
      select $2, hash, title, whole, metadata, left(whole, 280), now() from rows
    ), article as (
      insert into articles (
        bucket, id, author_id, author_kind, status, visibility, language, disclosure,
        latest_revision_id, published_revision_id, published_at, created_at, updated_at
      )
      select $2, id, $3, 'human', 'published', 'public', 'en', 'human_authored', newest, newest,
        now(), now(), now()
      from rows
      where revision = newest
    )
    insert into revisions (
      bucket, article_id, id, previous_revision_id, content_hash, signing_base, created_at, published_at
    )
    select $2, id, revision, previous, hash, 'http://127.0.0.1', now(), now() from rows`,
    [JSON.stringify(rows), bucketOf(author.id), author.id],
  );
}
