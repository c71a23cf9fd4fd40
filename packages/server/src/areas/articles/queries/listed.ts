// Statements that return articles by id if they are listed now, whatever a derived row says.
import { namedIds, nothing, sql } from '#database';
import type { Db, Statement } from '#database';
import { signatureJoin } from './articles.ts';
import { shownColumns } from './shown.ts';
import type { ListedRow } from './shown.ts';

/** A piece of a text in characters; `from` starts at 1. */
export interface Piece {
  readonly from: number;
  readonly length: number;
}

const pieceColumn = ({ from, length }: Piece) =>
  sql`substr(c.content, ${from}::integer, ${length}::integer) as piece`;

/**
 * The published revision of `articles a`, found by one index lookup. Without the limit the planner may read
 * all revisions of the article.
 */
const shownRevision = sql`cross join lateral (
      select bucket, id, previous_revision_id, content_hash, held_hash, signing_base, signature,
        signature_key_id, created_at, published_at
      from revisions
      where bucket = a.bucket and article_id = a.id and id = a.published_revision_id
      limit 1
    ) as r`;

function listedRows(ids: readonly string[], more: Statement): Statement<ListedRow> {
  return sql<ListedRow>`
    select ${shownColumns}, c.excerpt${more}
    from ${namedIds(ids)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    ${shownRevision}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.listed
    order by a.id desc`;
}

/** Returns the listed articles with these ids, unordered. */
export function listListedOf(db: Db, ids: readonly string[]): Promise<readonly ListedRow[]> {
  return db.rows(listedRows(ids, nothing));
}

/** Returns the same with a piece of each text, unordered. */
export function listListedWithPiece(
  db: Db,
  ids: readonly string[],
  piece: Piece,
): Promise<readonly (ListedRow & { readonly piece: string })[]> {
  return db.rows(
    listedRows(ids, sql`, ${pieceColumn(piece)}`) as Statement<
      ListedRow & { readonly piece: string }
    >,
  );
}

/** Returns only a piece of each text, unordered. */
export function listListedPieces(
  db: Db,
  ids: readonly string[],
  piece: Piece,
): Promise<readonly { readonly id: string; readonly piece: string }[]> {
  return db.rows(sql<{ readonly id: string; readonly piece: string }>`
    select a.id, ${pieceColumn(piece)}
    from ${namedIds(ids)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    ${shownRevision}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.listed
    order by a.id desc`);
}
