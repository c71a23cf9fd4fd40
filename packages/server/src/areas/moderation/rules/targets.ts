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

/** An object that a moderator was shown; undefined: it does not exist. */
export interface ShownTarget {
  readonly type: TargetType;
  readonly row: TargetRow | undefined;
}

/** The articles among targets, and those that comments are on, as the rules of articles look at them. */
export function articlesOf(shown: readonly ShownTarget[]) {
  return shown.flatMap(({ row }) => {
    const article = row === undefined ? undefined : articleOf(row);
    if (row === undefined || article === undefined) return [];
    // Whoever wrote a comment is not the author of the article that it is on.
    const author =
      row.article_id === null ? article : { ...article, author_id: '', owner_principal_id: null };
    return [{ ...author, id: row.article_id ?? row.id }];
  });
}

/** Of comments and files: the states in which readers do not see the text. A removed file's record stays public. */
const closedStates: Readonly<Partial<Record<TargetType, readonly string[]>>> = {
  comment: ['hidden', 'removed'],
  media: ['hidden', 'pending', 'rejected'],
};

/** Ids of the comments or files whose text only moderators see, without those of the reader's own. */
export function closedTargets(
  shown: readonly ShownTarget[],
  type: 'comment' | 'media',
  reader: string,
): readonly string[] {
  const ids = shown.flatMap(({ type: other, row }) => {
    if (other !== type || row === undefined || row.excerpt === null) return [];
    if (!closedStates[type]?.includes(row.status)) return [];
    return [row.author_id, row.owner_principal_id].includes(reader) ? [] : [row.id];
  });
  return [...new Set(ids)];
}

/** Whether everybody who has its id may see the object. */
export function isVisible(type: TargetType, row: TargetRow, isOpen: IsOpen): boolean {
  return visible[type](row, isOpen);
}
