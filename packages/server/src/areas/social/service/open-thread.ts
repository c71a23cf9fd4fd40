// The thread of an article for a page that is cached: read with a print, which says later whether it is the same.
import type { Db } from '#database';
import { keyOf } from '#lib/id';
import {
  countStances,
  findAuthorsPrint,
  findThreadPrint,
  listOpenThread,
  listVersionedAuthors,
  printOf,
  stancePrintOf,
} from '../queries/index.ts';
import { commentView } from '../views/comments.ts';
import { stancesView, stanceInput } from '../views/stances.ts';

interface Page {
  readonly after: string | undefined;
  readonly limit: number;
}

/** The versions of everything that a page of a thread shows. */
export interface ThreadPrint {
  readonly comments: string;
  readonly authors: string;
  readonly authorIds: readonly string[];
  readonly stances: string;
}

/** The stances of all comments are shown with the first page. */
const inputOf = ({ after }: Page) => (after === undefined ? stanceInput : undefined);

/**
 * Returns a page of comments as everyone sees them, with its print. There are none if not everyone may read
 * the article. The print is made from the rows that are returned, so no update can come between.
 */
export async function readOpenThread(db: Db, articleId: string, page: Page) {
  const input = inputOf(page);
  const [rows, counted] = await Promise.all([
    listOpenThread(db, keyOf(articleId), page),
    input === undefined ? [] : countStances(db, keyOf(articleId), input),
  ]);
  const authorIds = [...new Set(rows.map((row) => row.author_id))];
  const authors = authorIds.length === 0 ? [] : await listVersionedAuthors(db, authorIds);
  const byId = new Map(authors.map((author) => [author.id, author]));
  const shown = rows.slice(0, page.limit);
  const print: ThreadPrint = {
    comments: printOf(rows),
    authors: printOf(authors),
    authorIds,
    stances: stancePrintOf(counted),
  };
  return {
    items: shown.map((row) => commentView(row, byId.get(row.author_id), null)),
    next_cursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
    // Without a comment that everyone may read, the article is not one that everyone may read, or has none.
    stances: shown.length === 0 || input === undefined ? null : stancesView(counted),
    print,
  };
}

/** Whether a page of comments would be read as it was when its print was made. */
export async function isSameThread(
  db: Db,
  articleId: string,
  page: Page,
  known: ThreadPrint,
): Promise<boolean> {
  const [thread, authors] = await Promise.all([
    findThreadPrint(db, keyOf(articleId), { page, stances: inputOf(page) }),
    known.authorIds.length === 0 ? '' : findAuthorsPrint(db, known.authorIds),
  ]);
  const isSame = thread.comments === known.comments && thread.stances === known.stances;
  return isSame && (authors ?? '') === known.authors;
}
