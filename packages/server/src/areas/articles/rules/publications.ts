// What a publication changes for readers. Pure functions.
import type { ArticleRow, NewSignature, RevisionColumns } from '../queries/index.ts';

type Shown = Pick<ArticleRow, 'published_revision_id'>;

/** Whether the article shows just this already: then a publication changes nothing. */
export function isShownAlready(
  { published_revision_id: shown }: Shown,
  { revision_id: id }: Pick<RevisionColumns, 'revision_id'>,
  signature: NewSignature | undefined,
): boolean {
  return shown === id && signature === undefined;
}

/** Whether readers will see a revision that they saw before, or one that is not the newest. */
export function isOutOfOrder(
  {
    published_revision_id: before,
    latest_revision_id: latest,
  }: Shown & Pick<ArticleRow, 'latest_revision_id'>,
  {
    revision_id: id,
    revision_published_at: first,
  }: Pick<RevisionColumns, 'revision_id' | 'revision_published_at'>,
): boolean {
  return id !== before && (first !== null || id !== latest);
}
