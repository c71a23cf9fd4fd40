// Writes one article: files, draft, revisions, publication. Each step can be repeated without a second effect.
import { isProblem } from '@colophon/sdk';
import type { Present } from './inventory.ts';
import { presentOf } from './inventory.ts';
import { publishAll } from './publish-article.ts';
import { isRefusal } from './source.ts';
import type { SourceArticle, SourceMedia, Text } from './source.ts';
import { fittedTexts } from './texts.ts';
import type { FittedTexts } from './texts.ts';
import { stepKey } from './writing.ts';
import type { OnTarget, Target, Writing } from './writing.ts';

interface Prepared extends FittedTexts {
  readonly featuredId: string | undefined;
}

/** Uploads the files and returns the texts as they will be sent. @throws a refusal for a text that does not fit */
async function prepare({ uploads }: Writing, article: SourceArticle): Promise<Prepared> {
  const stored = new Map<SourceMedia, { readonly id: string; readonly url: string }>();
  const notes = [...article.notes];
  // Checked before anything is uploaded: only addresses of files can change after that.
  await fittedTexts(article, () => undefined);
  for (const media of article.media) {
    const result = await uploads.store(media);
    if ('unfit' in result) notes.push(`The file ${media.name} is not imported. ${result.unfit}`);
    else stored.set(media, result);
  }
  const fitted = await fittedTexts(article, (media) => stored.get(media)?.url);
  const featured = article.featured === undefined ? undefined : stored.get(article.featured);
  return { texts: fitted.texts, featuredId: featured?.id, notes: [...notes, ...fitted.notes] };
}

/** Reads the state of an article that an earlier or concurrent run began. */
async function readTarget({ client, pace }: Writing, id: string): Promise<Target> {
  const article = await pace.call(() => client.readArticle({ id }));
  const revisions: string[] = [];
  let cursor: string | null | undefined;
  do {
    const input = { id, limit: 100, cursor: cursor ?? undefined };
    const page = await pace.call(() => client.listRevisions(input));
    revisions.unshift(...page.items.map(({ revision_id }) => revision_id).toReversed());
    cursor = page.next_cursor;
  } while (cursor !== null);
  return {
    id,
    status: article.status,
    visibility: article.visibility,
    shown: article.status === 'draft' ? 0 : (presentOf(article)?.number ?? -1),
    hasFeatured: article.featured_media_id !== null,
    revisions,
    isNew: false,
    isChanged: false,
  };
}

async function create(writing: Writing, article: SourceArticle, first: Text): Promise<Target> {
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
  if (reply.replayed) return readTarget(writing, id);
  const revisions = 'revision_id' in reply.body ? [reply.body.revision_id] : [];
  return {
    id,
    status: 'draft',
    visibility,
    shown: 0,
    hasFeatured: false,
    revisions,
    isNew: true,
    isChanged: true,
  };
}

async function revise(
  { client, pace }: Writing,
  article: SourceArticle,
  target: Target,
  texts: readonly Text[],
): Promise<void> {
  for (let index = target.revisions.length; index < texts.length; index += 1) {
    const input = { id: target.id, ...texts[index], if_match: target.revisions.at(-1) };
    const idempotencyKey = stepKey(article, `revision ${index + 1}`);
    const { revision_id } = await pace.call(() => client.createRevision(input, { idempotencyKey }));
    target.revisions.push(revision_id);
    target.isChanged = true;
  }
}

/** Removes what this run began, if the article cannot be completed. */
async function giveUp({ client, pace }: Writing, target: Target): Promise<string> {
  if (target.status !== 'draft' || !target.isNew)
    return ` A part of it is at the service, with the id ${target.id}.`;
  try {
    await pace.call(() => client.deleteArticle({ id: target.id }));
    return '';
  } catch {
    return ` Its unfinished draft ${target.id} could not be removed: delete it.`;
  }
}

export type Written =
  | {
      readonly outcome: 'imported' | 'present';
      readonly id: string;
      readonly notes: readonly string[];
    }
  | { readonly outcome: 'not_imported'; readonly notes: readonly string[] };

/** Returns why an article cannot be completed; undefined for an error after which it still can. */
function permanentReason(error: unknown): string | undefined {
  if (isRefusal(error)) return error.message;
  if (isProblem(error, 'gone') || isProblem(error, 'unavailable-for-legal-reasons'))
    return 'It was imported before, and has been removed from the service since.';
  return isProblem(error) ? problemText(error) : undefined;
}

function problemText(error: Error & { readonly problem: ProblemLike }): string {
  const { detail, title, errors = [] } = error.problem;
  const faults = errors.map((fault) => `${fault.pointer} ${fault.detail}`).join('; ');
  return `The service refuses it: ${detail ?? title}${faults === '' ? '' : ` (${faults})`}`;
}

interface ProblemLike {
  readonly detail?: string;
  readonly title: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

const divergent = 'It was changed at the service since it was imported. It is not updated.';

/** Whether the article has revisions or publications that no import made. */
function isDivergent({ contentHashes, publications }: SourceArticle, target: Target): boolean {
  const { revisions, shown } = target;
  if (revisions.length > contentHashes.length) return true;
  if (shown === 0) return false;
  return revisions.length < contentHashes.length || !publications.includes(shown - 1);
}

/**
 * Completes the article, whether or not an earlier run began it. Writing stops at the first problem: an
 * article that cannot be completed is removed again if this run created it.
 *
 * @throws a stop, and the reason of an aborted signal: the article can be completed later
 */
export async function writeArticle(
  writing: Writing,
  article: SourceArticle,
  present: Present | undefined,
  onTarget: OnTarget,
): Promise<Written> {
  let target: Target | undefined;
  try {
    const { texts, featuredId, notes } = await prepare(writing, article);
    target =
      present === undefined
        ? await create(writing, article, texts[0])
        : await readTarget(writing, present.id);
    onTarget(target);
    const { id } = target;
    if (isDivergent(article, target)) return { outcome: 'present', id, notes: [divergent] };
    await revise(writing, article, target, texts);
    await publishAll(writing, article, target, featuredId);
    return { outcome: target.isChanged ? 'imported' : 'present', id, notes };
  } catch (error) {
    const reason = permanentReason(error);
    if (reason === undefined) throw error;
    const more = target === undefined ? '' : await giveUp(writing, target);
    return { outcome: 'not_imported', notes: [reason + more] };
  }
}
