// Writes one article: files, draft, revisions, publication. Each step can be repeated without a second effect.
import { isProblem } from '@colophon/sdk';
import type { Present } from './inventory.ts';
import { addressOfLinks, linkNotes } from './links.ts';
import { createTarget, readTarget } from './target.ts';
import { publishAll } from './publish-article.ts';
import { isRefusal } from './source.ts';
import type { SourceArticle, SourceMedia, Text } from './source.ts';
import { fittedTexts, unlinkedText } from './texts.ts';
import type { FittedTexts } from './texts.ts';
import { stepKey } from './writing.ts';
import type { OnTarget, Target, Writing } from './writing.ts';

interface Prepared extends FittedTexts {
  readonly featuredId: string | undefined;
}

/** Uploads the files and returns the texts as they will be sent. @throws a refusal for a text that does not fit */
async function prepare(writing: Writing, article: SourceArticle): Promise<Prepared> {
  const { uploads } = writing;
  const addressOf = addressOfLinks(writing, article);
  const stored = new Map<SourceMedia, { readonly id: string; readonly url: string }>();
  const notes = [...article.notes, ...linkNotes(article, addressOf)];
  // Checked before anything is uploaded: only addresses of files can change after that.
  await fittedTexts(article, () => undefined);
  for (const media of article.media) {
    const result = await uploads.store(media);
    if ('unfit' in result) notes.push(`The file ${media.name} is not imported. ${result.unfit}`);
    else stored.set(media, result);
  }
  const urlOf = (media: SourceMedia) => stored.get(media)?.url;
  const fitted = await fittedTexts(article, urlOf, addressOf);
  const featured = article.featured === undefined ? undefined : stored.get(article.featured);
  return { texts: fitted.texts, featuredId: featured?.id, notes: [...notes, ...fitted.notes] };
}

async function revise(
  { client, pace }: Writing,
  article: SourceArticle,
  target: Target,
  texts: readonly Text[],
): Promise<void> {
  for (let index = target.revisions.length; index < texts.length; index += 1) {
    const input = {
      id: target.id,
      ...texts[index],
      if_match: target.revisions.at(-1) ?? target.unlinkedId,
    };
    const idempotencyKey = stepKey(article, `revision ${index + 1}`);
    const { revision_id } = await pace.call(() => client.createRevision(input, { idempotencyKey }));
    target.revisions.push(revision_id);
    target.isChanged = true;
  }
}

/** Removes what this run began, if the article cannot be completed. */
async function giveUp(
  { client, pace, record }: Writing,
  { key }: SourceArticle,
  target: Target,
): Promise<string> {
  if (target.status !== 'draft' || !target.isNew)
    return ` A part of it is at the service, with the id ${target.id}.`;
  // First: a later import tries it again, and takes it for none that its author has removed.
  await record?.remove(key);
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

/** What is known about an article before it is written. */
export interface Begun {
  /** What an earlier run left at the service. */
  readonly present?: Present | undefined;
  /** What this run began. */
  readonly target?: Target | undefined;
}

async function targetOf(
  writing: Writing,
  article: SourceArticle,
  { present, target }: Begun,
  firstText: () => Promise<Text> | Text,
): Promise<Target> {
  if (target !== undefined) return target;
  if (present !== undefined) return readTarget(writing, article, present.id);
  return createTarget(writing, article, await firstText());
}

/**
 * Creates the draft of an article that links to others, unless it exists: its address is known then, and its
 * texts are written with links once all addresses are known.
 *
 * @returns what it wrote if the article does not fit; throws as writeArticle does
 */
export async function beginArticle(
  writing: Writing,
  article: SourceArticle,
  begun: Begun,
  onTarget: OnTarget,
): Promise<Written | undefined> {
  try {
    await onTarget(await targetOf(writing, article, begun, () => unlinkedText(article)));
    return undefined;
  } catch (error) {
    const reason = permanentReason(error);
    if (reason === undefined) throw error;
    return { outcome: 'not_imported', notes: [reason] };
  }
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
  begun: Begun,
  onTarget: OnTarget,
): Promise<Written> {
  let { target } = begun;
  try {
    const { texts, featuredId, notes } = await prepare(writing, article);
    target = await targetOf(writing, article, begun, () => texts[0]);
    await onTarget(target);
    const { id } = target;
    if (isDivergent(article, target)) return { outcome: 'present', id, notes: [divergent] };
    await revise(writing, article, target, texts);
    await publishAll(writing, article, target, featuredId);
    return { outcome: target.isChanged ? 'imported' : 'present', id, notes };
  } catch (error) {
    const reason = permanentReason(error);
    if (reason === undefined) throw error;
    const more = target === undefined ? '' : await giveUp(writing, article, target);
    return { outcome: 'not_imported', notes: [reason + more] };
  }
}
