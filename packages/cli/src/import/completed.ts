// What an earlier import already did with an article.
import type { Present } from './inventory.ts';
import type { SourceArticle } from './source.ts';

/** Returns the number of the text that readers see, or of the newest one of a draft. */
export function lastNumber({ publications, contentHashes }: SourceArticle): number {
  const last = publications.at(-1);
  return last === undefined ? contentHashes.length : last + 1;
}

function isWholeDraft(article: SourceArticle, present: Present): boolean {
  const { publications, featured } = article;
  if (publications.length > 0 || present.isUnlinked) return false;
  const isNewest = present.number === lastNumber(article);
  return isNewest && (featured === undefined || present.hasFeatured);
}

function isWhole(article: SourceArticle, present: Present): boolean {
  if (present.status === 'hidden') return true;
  if (present.status === 'draft') return isWholeDraft(article, present);
  // Its author may have published a draft meanwhile.
  return article.publications.length === 0 || present.number === lastNumber(article);
}

/** Says what its author or a moderator has decided since. */
function changeNotes(article: SourceArticle, present: Present): readonly string[] {
  if (present.status === 'hidden') return ['A moderator has hidden it. It is left as it is.'];
  if (present.visibility === article.visibility) return [];
  return [`It is ${present.visibility} at the service. It is left as it is.`];
}

export interface Completed {
  readonly outcome: 'present';
  readonly id: string;
  readonly notes: readonly string[];
}

/** Returns undefined when there is work left. */
export function completionOf(article: SourceArticle, present: Present): Completed | undefined {
  const { id, number, contentHash } = present;
  if (article.contentHashes[number - 1] !== contentHash) {
    const notes = ['It has changed at its origin since it was imported. It is not updated.'];
    return { outcome: 'present', id, notes };
  }
  if (!isWhole(article, present)) return undefined;
  return { outcome: 'present', id, notes: changeNotes(article, present) };
}
