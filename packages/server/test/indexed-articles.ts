// Published articles in a database without a server, as the search index finds them.
import { newId } from '#lib/id';
import { indexArticle } from '../src/areas/search/subscribers/documents.ts';
import { migratedClone } from './migrated-clone.ts';
import { quiet } from './throw-away-database.ts';
import type { Clone } from './throw-away-database.ts';

/** Where the author and all articles are. */
export const bucket = 5;

/** A database with an author. */
export async function withAuthor(): Promise<Clone> {
  const clone = await migratedClone();
  await clone.ask(
    "insert into principals (bucket, id, kind, username, created_at) values (5, 'author', 'human', 'ann', now())",
  );
  return clone;
}

interface Text {
  readonly title?: string;
  readonly content?: string;
  readonly topics?: unknown;
}

export async function revise(
  clone: Clone,
  id: string,
  { title = 'A title', content = 'Some text', topics = [] }: Text,
): Promise<string> {
  const revision = newId(bucket);
  await clone.ask("insert into contents values ($1, $2, $3, $4, $5, '', now())", [
    bucket,
    `h${revision}`,
    title,
    content,
    JSON.stringify({ topics }),
  ]);
  await clone.ask(
    "insert into revisions (bucket, article_id, id, content_hash, signing_base, created_at) values ($1, $2, $3, $4, '', now())",
    [bucket, id, revision, `h${revision}`],
  );
  await clone.ask(
    'update articles set published_revision_id = $3, latest_revision_id = $3 where bucket = $1 and id = $2',
    [bucket, id, revision],
  );
  return revision;
}

/** A published public article. */
export async function publish(clone: Clone, text: Text, language = 'en'): Promise<string> {
  const id = newId(bucket);
  await clone.ask(
    `insert into articles (bucket, id, author_id, author_kind, status, visibility, language, disclosure,
       latest_revision_id, published_revision_id, published_at, created_at, updated_at)
     values ($1, $2, 'author', 'human', 'published', 'public', $3, 'human_authored', '', '', now(), now(), now())`,
    [bucket, id, language],
  );
  await revise(clone, id, text);
  return id;
}

export function index({ db }: Clone, id: string): Promise<void> {
  return indexArticle({ bucket, id }, { db, log: quiet, now: () => new Date() });
}

/** Returns the search row of an article. */
export async function findDocument(
  clone: Clone,
  id: string,
): Promise<{ revision_id: string; document: string } | undefined> {
  return (
    await clone.ask<{ revision_id: string; document: string }>(
      'select revision_id, document::text from article_search where bucket = $1 and article_id = $2',
      [bucket, id],
    )
  )[0];
}
