// Statements on the thread of an article that everyone may read, with the version of every row.
import { atMost, whenGiven, namedIds, sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';
import type { CommentPage } from './comment-lists.ts';
import { authorColumns, commentColumns } from './comments.ts';
import { stanceCounts } from './stances.ts';
import type { StanceRow, StanceInput } from './stances.ts';
import type { AuthorRow, CommentRow } from './comments.ts';

/** A row with its version: the transaction that wrote it. It changes with every update of the row. */
export type Versioned<Row> = Row & { readonly version: string };

/** The comments of a page of the thread, and one more; none if not everyone may read the article. */
const openThread = (article: RowKey, page: CommentPage) => sql`
    from articles a
    join comments c on c.bucket = a.bucket and c.article_id = a.id
    ${sql.where([
      sql`a.bucket = ${article.bucket} and a.id = ${article.id}`,
      sql`a.status = 'published' and a.visibility <> 'private'`,
      whenGiven(page.after, (id) => sql`c.id > ${id}`),
    ])}
    order by c.id
    ${atMost(page.limit + 1)}`;

/** Lists the comments of an article that everyone may read, oldest first. */
export function listOpenThread(
  db: Db,
  article: RowKey,
  page: CommentPage,
): Promise<readonly Versioned<CommentRow>[]> {
  return db.rows(sql<Versioned<CommentRow>>`
    select ${commentColumns}, c.xmin::text as version
    ${openThread(article, page)}`);
}

/** A row of counts as an array, in the order of its columns. */
type Counted = readonly [stance: string | null, comments: number, owners: number];

/**
 * Returns the ids and versions of the same comments, written as `printOf` writes them; and the stances of all
 * comments, as `stancePrintOf` writes them, if they are asked for.
 */
export async function findThreadPrint(
  db: Db,
  article: RowKey,
  { page, stances }: { readonly page: CommentPage; readonly stances: StanceInput | undefined },
): Promise<{ readonly comments: string; readonly stances: string }> {
  const counted =
    stances === undefined
      ? sql`null`
      : sql`(
        select json_agg(json_build_array(own.stance, own.comments, own.owners) order by own.stance)
        from (${stanceCounts(article, stances)}) as own
      )`;
  const row = await db.first(sql<{ print: string | null; counted: readonly Counted[] | null }>`
    select
      string_agg(shown.id || ' ' || shown.version, ',' order by shown.id) as print,
      ${counted} as counted
    from (
      select c.id, c.xmin::text as version
      ${openThread(article, page)}
    ) shown`);
  return { comments: row?.print ?? '', stances: JSON.stringify(row?.counted ?? []) };
}

/** Returns the counts of stances as text, in the order in which they were read. */
export function stancePrintOf(rows: readonly StanceRow[]): string {
  return JSON.stringify(
    rows.map(({ stance, comments, owners }): Counted => [stance, comments, owners]),
  );
}

/** Returns participants by id, from any bucket. */
export function listVersionedAuthors(
  db: Db,
  ids: readonly string[],
): Promise<readonly Versioned<AuthorRow>[]> {
  return db.rows(sql<Versioned<AuthorRow>>`
    select ${authorColumns}, p.xmin::text as version
    from ${namedIds(ids)}
    join principals p on p.bucket = named.bucket and p.id = named.id
    order by p.id`);
}

/** Returns the ids and versions of the same participants, written as `printOf` writes them. */
export async function findAuthorsPrint(db: Db, ids: readonly string[]): Promise<string | null> {
  const row = await db.first(sql<{ print: string | null }>`
    select string_agg(p.id || ' ' || p.xmin::text, ',' order by p.id) as print
    from ${namedIds(ids)}
    join principals p on p.bucket = named.bucket and p.id = named.id`);
  return row?.print ?? null;
}

/** Returns the ids and versions of rows that are ordered by id. */
export function printOf(rows: readonly Versioned<{ readonly id: string }>[]): string {
  return rows.map(({ id, version }) => `${id} ${version}`).join(',');
}
