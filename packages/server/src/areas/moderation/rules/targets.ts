// Whether the target of a report is visible to everyone. Pure.
import type { TargetType } from '@colophon/contract';
import type { TargetRow } from '../queries/index.ts';

/** Returns the fields that the rules of articles read. */
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

/** The rule of articles: whether everyone with the id may see the article. */
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

/** What readers saw of a target at the time of a report or an action. Only articles have revisions. */
export interface Before {
  /** The revision of an article that is published now. */
  readonly publishedId: string | null;
  /** The one that was published then. */
  readonly revisionId: string | null;
  /** Whether these are two. */
  readonly isChanged: boolean;
  /** The text of the earlier one, if another is published now; null too if it was erased. */
  readonly title: string | null;
  readonly content: string | null;
}

/** A target that was shown to a moderator; undefined: it does not exist. */
export interface ShownTarget {
  readonly type: TargetType;
  readonly row: TargetRow | undefined;
}

/**
 * Returns the articles among targets, and the articles of comments, in the form that the rules of articles
 * read.
 */
export function articlesOf(shown: readonly ShownTarget[]) {
  return shown.flatMap(({ row }) => {
    const article = row === undefined ? undefined : articleOf(row);
    if (row === undefined || article === undefined) return [];
    // The author of a comment is not the author of its article.
    const author =
      row.article_id === null ? article : { ...article, author_id: '', owner_principal_id: null };
    const isTakenAway =
      row.excerpt !== null && (article.status !== 'published' || article.removed_legally);
    return [{ ...author, id: row.article_id ?? row.id, isTakenAway }];
  });
}

/**
 * Statuses of comments and files in which readers do not see the text. The record of a removed file stays
 * public.
 */
const closedStates: Readonly<Partial<Record<TargetType, readonly string[]>>> = {
  comment: ['hidden', 'removed'],
  media: ['hidden', 'pending', 'rejected'],
};

/** Returns ids of the comments or files whose text only moderators see, except the reader's own. */
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

/** Returns whether the target is visible to everyone who has its id. */
export function isVisible(type: TargetType, row: TargetRow, isOpen: IsOpen): boolean {
  return visible[type](row, isOpen);
}
