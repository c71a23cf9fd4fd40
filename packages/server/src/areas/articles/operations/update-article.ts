// PATCH /v1/articles/{id}: changes the properties around the text.
import { operations } from '@colophon/contract';
import type { BodyOf } from '@colophon/contract';
import type { Tx } from '#database';
import { implement, invalid } from '#http';
import { keyOf } from '#lib/id';
import { canonicalLanguageTag } from '@colophon/text/lib/language-tag';
import { timestamp } from '#lib/timestamp';
import { lockReadyImage } from '#media';
import { articleChanged, languageChanged } from '../outbox.ts';
import { findShown, lockArticle, setDetails } from '../queries/index.ts';
import type { ArticleRow } from '../queries/index.ts';
import {
  changeTime,
  requireAuthor,
  requireKnown,
  requireLive,
  requireNewest,
  widens,
} from '../rules/articles.ts';
import { updatedView } from '../views/articles.ts';

type Body = BodyOf<typeof operations.updateArticle>;

/** Requires that the featured image was uploaded by the author. @throws validation-failed */
async function requireFeatured(tx: Tx, article: ArticleRow, id: Body['featured_media_id']) {
  if (id === undefined || id === null || (await lockReadyImage(tx, article.author_id, id))) return;
  throw invalid([
    {
      pointer: '/featured_media_id',
      code: 'unknown',
      detail: 'does not name a ready image that you own: send the id of one, or null',
    },
  ]);
}

/** Merge semantics (RFC 7396): an omitted member keeps its value, null clears it. */
function mergeChanges(article: ArticleRow, body: Body) {
  const media = body.featured_media_id;
  return {
    visibility: body.visibility ?? article.visibility,
    disclosure: body.authorship_disclosure ?? article.disclosure,
    canonical_url: body.canonical_url === undefined ? article.canonical_url : body.canonical_url,
    language: canonicalLanguageTag(body.language ?? '') ?? article.language,
    featured_media_id: media === undefined ? article.featured_media_id : media,
  };
}

type Merged = ReturnType<typeof mergeChanges>;

/**
 * Returns whether a body changes anything: one sent again after a lost response does not. A hidden image reads
 * as null but stays stored, so null may remove it.
 */
function isChanged(article: ArticleRow, body: Body, merged: Merged): boolean {
  const entries = Object.entries(merged);
  return (
    body.featured_media_id === null ||
    entries.some(([name, value]) => article[name as keyof Merged] !== value)
  );
}

export const updateArticle = implement(operations.updateArticle)(async (
  { tx, caller, problem, config, now, requireScope },
  { params, body, ifMatch },
) => {
  const key = keyOf(params.id);
  const [article, shown] = await Promise.all([lockArticle(tx, key), findShown(tx, key)]);
  requireKnown(problem, article, caller);
  requireAuthor(problem, article, caller, false);
  requireLive(problem, article);
  requireNewest(problem, article, ifMatch);
  if (shown === undefined) throw problem('not-found', 'No article has this id.');
  const visibility = body.visibility ?? article.visibility;
  if (article.published_revision_id !== null && widens(article.visibility, visibility)) {
    requireScope('articles:publish');
  }
  await requireFeatured(tx, article, body.featured_media_id);
  const merged = mergeChanges(article, body);
  if (!isChanged(article, body, merged))
    return { status: 200, body: updatedView(shown, config, caller) };
  const at = changeTime(article, now);
  const changed = {
    ...merged,
    updated_at: timestamp(at),
    edited_at: timestamp(at),
  };
  void setDetails(tx, key, {
    ...changed,
    canonicalUrl: changed.canonical_url,
    featuredMediaId: body.featured_media_id,
    now: at,
  });
  if (article.published_revision_id !== null) {
    articleChanged(tx, key, now);
    if (changed.language !== article.language) languageChanged(tx, key, now);
  }
  return { status: 200, body: updatedView({ ...shown, ...changed }, config, caller) };
});
