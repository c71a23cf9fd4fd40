// GET /v1/articles/{id}: the published revision, or for the author of a draft the newest one.
import { operations } from '@colophon/contract';
import type { Config } from '#config';
import type { Db } from '#database';
import { implement } from '#http';
import type { Caller, Problems } from '#http';
import { bucketOf, keyOf } from '#lib/id';
import type { SpotlightRecord } from '@colophon/text';
import { rendererFor } from '@colophon/text';
import { findLatest, findShown, findSignals } from '../queries/index.ts';
import type { ArticleRow, ShownRow } from '../queries/index.ts';
import { auditedRead, requireReadable, requireReadScope, standingOf } from '../rules/articles.ts';
import { articleView, markdownView, spotlitView } from '../views/articles.ts';

type Refuse = Problems<'unauthenticated' | 'forbidden'>;

/**
 * Only the author and the owner may read an unpublished revision. @throws unauthenticated, forbidden,
 * insufficient-scope
 */
function requireLatestView(problem: Refuse, article: ArticleRow, caller: Caller | null): void {
  if (caller === null)
    throw problem('unauthenticated', 'view=latest requires a token of the author.');
  if (['reader', 'moderator'].includes(standingOf(article, caller))) {
    throw problem(
      'forbidden',
      'Only the author can use view=latest. Leave it out to read the published revision.',
    );
  }
  requireReadScope(article, caller);
}

/** In characters. A shorter text takes less time to scan than its stored signals take to query. */
const askedFrom = 2_048;

/** Returns the texts of an article, with the signals that were found in the content when it was rendered. */
async function recordOf(
  db: Db,
  config: Config,
  { id, title, content, content_hash: hash }: ShownRow,
): Promise<SpotlightRecord> {
  const texts = { title: title ?? '', content: content ?? '' };
  if (texts.content.length <= askedFrom) return { texts };
  const found = await findSignals(db, { bucket: bucketOf(id), hash }, rendererFor(config));
  return { texts, known: found && { content: found } };
}

export const readArticle = implement(operations.readArticle)(async (
  { db, caller, problem, config, mediaType, spotlight },
  { params, query },
) => {
  const latest = query.view === 'latest';
  const key = keyOf(params.id);
  const row =
    latest && caller !== null ? await findLatest(db, key, caller.id) : await findShown(db, key);
  requireReadable(problem, row, caller);
  if (latest) requireLatestView(problem, row, caller);
  const audited = auditedRead(caller, [row]);
  if (query.view === 'spotlight') {
    const [lit] = await spotlight([await recordOf(db, config, row)]);
    return { status: 200, body: spotlitView(row, config, caller, lit), ...audited };
  }
  const body = articleView(row, config, caller);
  const answer = {
    status: 200 as const,
    body,
    etag: row.revision_id,
    etagOfRepresentation: true as const,
    shared: row.status === 'published' && row.visibility === 'public',
    ...audited,
  };
  if (mediaType === 'application/json') return answer;
  const contentType = `${mediaType}; charset=utf-8`;
  return { ...answer, otherwise: { contentType, payload: await markdownView(body) } };
});
