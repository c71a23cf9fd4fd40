// Keyset pagination of lists: the cursor is the id of the last item.
import { limits } from '@colophon/contract';

export function limitOf(query: { readonly limit?: number }): number {
  return query.limit ?? limits.page_limit_default;
}

/**
 * Returns the page of rows that were read with one more than `limit`, which shows whether another page
 * follows.
 */
export function pageOf<R, T>(
  rows: readonly R[],
  limit: number,
  to: { readonly view: (row: R) => T; readonly cursor: (row: R) => string },
): { items: T[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(to.view),
    next_cursor: rows.length > limit && last !== undefined ? to.cursor(last) : null,
  };
}
