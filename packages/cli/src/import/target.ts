// The article at the service that an import writes: created, or found as an earlier run left it.
import { presentOf } from './inventory.ts';
import { originOf } from './origin.ts';
import type { SourceArticle, Text } from './source.ts';
import { stepKey } from './writing.ts';
import type { Target, Writing } from './writing.ts';

/** Returns the first revision of an article that links to others, if its links were missing in it. */
async function unlinkedIdOf(
  { client, pace }: Writing,
  { linksTo }: SourceArticle,
  id: string,
  revision_id: string | undefined,
): Promise<string | undefined> {
  if (linksTo.size === 0 || revision_id === undefined) return undefined;
  const { metadata } = await pace.call(() => client.readRevision({ id, revision_id }));
  return originOf(metadata)?.unlinked === true ? revision_id : undefined;
}

/** Reads the state of an article that an earlier or concurrent run began. */
export async function readTarget(
  writing: Writing,
  source: SourceArticle,
  id: string,
): Promise<Target> {
  const { client, pace } = writing;
  const article = await pace.call(() => client.readArticle({ id }));
  const revisions: string[] = [];
  let cursor: string | null | undefined;
  do {
    const input = { id, limit: 100, cursor: cursor ?? undefined };
    const page = await pace.call(() => client.listRevisions(input));
    revisions.unshift(...page.items.map(({ revision_id }) => revision_id).toReversed());
    cursor = page.next_cursor;
  } while (cursor !== null);
  const unlinkedId = await unlinkedIdOf(writing, source, id, revisions[0]);
  return {
    id,
    url: article.url,
    status: article.status,
    visibility: article.visibility,
    shown: article.status === 'draft' ? 0 : (presentOf(article)?.number ?? -1),
    hasFeatured: article.featured_media_id !== null,
    revisions: revisions.filter((each) => each !== unlinkedId),
    unlinkedId,
    isNew: false,
    isChanged: false,
  };
}

/** Creates the draft of an article with its first text; a draft that another run created is read. */
export async function createTarget(
  writing: Writing,
  article: SourceArticle,
  first: Text,
): Promise<Target> {
  const { client, pace } = writing;
  // Readers must not see the first of several publications before the last one.
  const visibility = article.publications.length > 1 ? 'private' : article.visibility;
  const input = {
    ...first,
    language: article.language,
    visibility,
    authorship_disclosure: article.disclosure,
    canonical_url: article.canonicalUrl,
  };
  const idempotencyKey = stepKey(article, 'create');
  const reply = await pace.call(() => client.withResponse.createArticle(input, { idempotencyKey }));
  const { id } = reply.body;
  if (reply.replayed || !('revision_id' in reply.body)) return readTarget(writing, article, id);
  const { revision_id, url } = reply.body;
  const isUnlinked = originOf(first.metadata)?.unlinked === true;
  return {
    id,
    url,
    status: 'draft',
    visibility,
    shown: 0,
    hasFeatured: false,
    revisions: isUnlinked ? [] : [revision_id],
    unlinkedId: isUnlinked ? revision_id : undefined,
    isNew: true,
    isChanged: true,
  };
}
