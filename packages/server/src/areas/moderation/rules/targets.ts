// Whether everybody may see what a report is about. Pure.
import type { TargetType } from '@colophon/contract';
import type { TargetRow } from '../queries/index.ts';

/** What the rules of articles look at. */
function articleOf(row: TargetRow) {
  if (row.article_status === null || row.article_visibility === null) return undefined;
  return {
    author_id: row.author_id,
    owner_principal_id: row.owner_principal_id,
    status: row.article_status,
    visibility: row.article_visibility,
    published_revision_id: row.article_published_revision_id,
    removed_at: row.removed_at,
    removed_legally: row.article_removed_legally === true,
    reason_code: row.reason_code,
  };
}

/** The rule of articles: whether everybody with the id may know of one. */
export type IsOpen = (article: NonNullable<ReturnType<typeof articleOf>>) => boolean;

function isLive(row: TargetRow, isOpen: IsOpen): boolean {
  const article = articleOf(row);
  if (article === undefined || !isOpen(article)) return false;
  return article.status === 'published' && !article.removed_legally;
}

const visible: Readonly<Record<TargetType, (row: TargetRow, isOpen: IsOpen) => boolean>> = {
  article: isLive,
  comment: (row, isOpen) => row.status === 'visible' && isLive(row, isOpen),
  principal: (row) => row.status !== 'closed' || row.pseudonymous,
  media: (row) => row.status === 'ready',
};

/**
 * The articles among targets, or those that comments are on, that are not open: what the audit log says
 * was read. Reports on what is open, and on accounts and files, show nothing that is not listed elsewhere.
 */
export function articlesOf(rows: readonly (TargetRow | undefined)[]) {
  return rows.flatMap((row) => {
    const article = row === undefined ? undefined : articleOf(row);
    if (row === undefined || article === undefined) return [];
    // Whoever wrote a comment is not the author of the article that it is on.
    const author =
      row.article_id === null ? article : { ...article, author_id: '', owner_principal_id: null };
    return [{ ...author, id: row.article_id ?? row.id }];
  });
}

/** Whether everybody who has its id may see the object. */
export function isVisible(type: TargetType, row: TargetRow, isOpen: IsOpen): boolean {
  return visible[type](row, isOpen);
}
