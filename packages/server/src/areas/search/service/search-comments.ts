// The search for comments, with snippets.
import { limits } from '@colophon/contract';
import type { Db } from '#database';
import { turnsAfterPieces } from '#lib/pieces';
import { listedComments } from '#social';
import { findCommentHits } from '../queries/index.ts';
import { pageOfRanked, untilOf } from '../rules/search-request.ts';
import type { FoundPage, SearchRequest } from '../rules/search-request.ts';
import type { Snippet } from '../rules/snippets.ts';
import { beginningOf, foundSnippet, lookedFor } from './article-snippets.ts';
import { resolveQuery } from './resolve-query.ts';

interface CommentHit {
  readonly type: 'comment';
  readonly comment: Awaited<ReturnType<typeof listedComments>>[number];
  readonly snippet: Snippet;
}

/**
 * Returns a page of a search for comments; those not visible on a listed article at this moment are
 * omitted.
 */
export async function searchComments({ db }: { readonly db: Db }, request: SearchRequest) {
  const understood = await resolveQuery(db, request.query, request);
  const { words } = understood;
  const { authorId, kind, since } = request.filters;
  const until = untilOf(request);
  const rows =
    words === ''
      ? []
      : await findCommentHits(db, { words, authorId, kind, since, until, after: request.place });
  const { shown, next } = pageOfRanked(rows, request, {
    stage: 0,
    most: limits.search_results_max,
  });
  const configurations = new Map(shown.map(({ id, configuration }) => [id, configuration]));
  const comments = await listedComments(db, [...configurations.keys()]);
  const found = comments.map((comment) => ({
    comment,
    content: comment.content ?? '',
    configuration: configurations.get(comment.id) ?? 'simple',
  }));
  const lookedIn = await lookedFor(db, found, understood);
  const items: CommentHit[] = [];
  const worked = turnsAfterPieces();
  for (const { comment, content, configuration } of found) {
    await worked(content.length);
    const snippet = foundSnippet(content, lookedIn({ configuration })) ?? beginningOf(content);
    items.push({ type: 'comment', comment, snippet });
  }
  return { items, next } satisfies FoundPage<unknown>;
}
