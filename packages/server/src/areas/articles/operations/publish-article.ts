// POST /v1/articles/{id}/publish: moves the published pointer and tells the pipeline, in one transaction.
import { operations } from '@colophon/contract';
import { implement, invalid } from '#http';
import type { Fault } from '#http';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { articleChanged } from '../outbox.ts';
import { findRevisionSummary, lockArticle, setPublished } from '../queries/index.ts';
import { requireAuthor, requireKnown, requireLive, stepsAhead } from '../rules.ts';
import { articlePath } from '../views.ts';

/** How far a clock may be ahead. */
const aheadMinutes = 5;

interface Wish {
  readonly signature?: string | null;
  readonly signature_key_id?: string | null;
  readonly published_at?: string | null;
}

/** What the body says that cannot be, whatever the article. @throws validation-failed */
function requirePossible(wish: Wish, now: Date): void {
  const faults: Fault[] = [];
  const signature = wish.signature ?? null;
  if ((signature === null) !== ((wish.signature_key_id ?? null) === null)) {
    faults.push({
      pointer: signature === null ? '/signature' : '/signature_key_id',
      code: 'required',
      detail: 'is required: signature and signature_key_id go together',
    });
  }
  if (wish.published_at && Date.parse(wish.published_at) > now.getTime() + aheadMinutes * 60_000) {
    faults.push({
      pointer: '/published_at',
      code: 'future',
      detail: `lies more than ${aheadMinutes} minutes ahead: send a time in the past, or leave it out for now`,
    });
  }
  if (faults.length > 0) throw invalid(faults);
}

/** What the body names and the article does not have. */
function unknownNames(wish: Wish, found: boolean, newest: string): readonly Fault[] {
  const faults: Fault[] = [];
  if (!found) {
    faults.push({
      pointer: '/revision_id',
      code: 'unknown',
      detail: `names no revision of this article: send one of them, the newest is ${newest}`,
    });
  }
  if (wish.signature_key_id !== undefined && wish.signature_key_id !== null) {
    faults.push({
      pointer: '/signature_key_id',
      code: 'unknown',
      detail:
        'names no active key of the author: leave signature and signature_key_id out to publish unsigned',
    });
  }
  return faults;
}

export const publishArticle = implement(operations.publishArticle, async ({ now }, { body }) =>
  requirePossible(body, now),
)(async ({ tx, caller, problem, config, now, charge }, { params, body }) => {
  const place = { bucket: bucketOf(params.id), id: params.id };
  const [article, revision] = await Promise.all([
    lockArticle(tx, place),
    findRevisionSummary(tx, place, body.revision_id ?? null),
  ]);
  requireKnown(problem, article, caller);
  requireAuthor(problem, article, caller, false);
  requireLive(problem, article);
  const faults = unknownNames(body, revision !== undefined, article.latest_revision_id);
  if (revision === undefined || faults.length > 0) throw invalid(faults);
  // Later publications keep the first date: it is when readers could first see the article.
  const publishedAt = article.published_at ?? body.published_at ?? timestamp(now);
  void setPublished(tx, place, { revisionId: revision.revision_id, publishedAt, now });
  articleChanged(tx, place, now);
  charge('articles.publish');
  return {
    status: 200,
    body: {
      id: place.id,
      revision_id: revision.revision_id,
      url: `${config.baseUrl}${articlePath(revision.username, revision.title ?? '', place.id)}`,
      published_at: publishedAt,
      signed: false,
      processing: stepsAhead(article.visibility),
    },
  };
});
