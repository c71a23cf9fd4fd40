// The search for comments: candidates are ranked by one statement, and shown with snippets.
import type { Db } from '#database';
import { yieldAfterPieces } from '#lib/pieces';
import { listedComments } from '#social';
import { listRankedComments } from '../queries/rank-comments.ts';
import { pageOf } from '../rules/search-request.ts';
import type { FoundPage, ResolvedQuery } from '../rules/search-request.ts';
import { beginningOf, snippetsOf } from './text-snippets.ts';

/**
 * Returns a page of a search for comments; those not visible on a listed article at this moment are
 * omitted.
 */
export async function searchComments({ db }: { readonly db: Db }, query: ResolvedQuery) {
  const rows = query.words === '' ? [] : await listRankedComments(db, query);
  const { shown, next } = pageOf(rows, query.request);
  const configurations = new Map(shown.map(({ id, configuration }) => [id, configuration]));
  const comments = await listedComments(db, [...configurations.keys()]);
  const texts = comments.map(({ id, content }) => ({ id, content: content ?? '' }));
  const snippets = await snippetsOf(db, query, texts, configurations);
  const items = [];
  const yieldIfDue = yieldAfterPieces();
  for (const comment of comments) {
    const content = comment.content ?? '';
    await yieldIfDue(content.length);
    const snippet = snippets.get(comment.id) ?? beginningOf(content);
    items.push({ type: 'comment' as const, comment, snippet });
  }
  return { items, next } satisfies FoundPage<unknown>;
}
