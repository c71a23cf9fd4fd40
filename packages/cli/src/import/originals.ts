// Articles of a source that are at this service themselves: of an export of the account, or of files that `colophon
// publish` and `colophon pull` wrote.
import { isProblem } from '@colophon/sdk';
import { isId } from '../id.ts';
import { lastNumber } from './completed.ts';
import { delisted } from './former.ts';
import type { Inventory, Original } from './inventory.ts';
import type { SourceArticle } from './source.ts';
import type { Writing } from './writing.ts';

/** Where an import writes. */
export interface Here {
  readonly writing: Writing;
  readonly inventory: Inventory;
  /** The address of the service. */
  readonly service: string;
  /** The id of the account. */
  readonly author: string;
}

/** What is to be said about an article whose original is here, or was. */
export interface Found {
  readonly outcome: 'present' | 'not_imported';
  readonly id: string;
  readonly notes: readonly string[];
  /** Undefined for one that readers cannot open. */
  readonly at?: Pick<Original, 'id' | 'url'>;
}

const removed = 'It has been removed from the service. It is left as it is.';
const hidden = 'A moderator has hidden it. It is left as it is.';
const older = 'The service has an earlier text of it, the archive a later one. It is not updated.';
const changed = 'It has changed at the service since the export. It is left as it is.';

/** Says how the original differs from what the archive contains. */
function differenceOf(
  article: SourceArticle,
  { status, contentHash }: Original,
): readonly string[] {
  if (status === 'hidden') return [hidden];
  const number = article.contentHashes.lastIndexOf(contentHash) + 1;
  if (number === 0) return [changed];
  return number < lastNumber(article) ? [older] : [];
}

/** Reads an article that no list of the account names. */
async function readOriginal(
  { writing: { client, pace }, author }: Here,
  id: string,
): Promise<Found | undefined> {
  try {
    const { url, author: by } = await pace.call(() => client.readArticle({ id }));
    return by.id === author
      ? { outcome: 'present', id, notes: [delisted], at: { id, url } }
      : undefined;
  } catch (error) {
    if (isProblem(error, 'gone') || isProblem(error, 'unavailable-for-legal-reasons'))
      return { outcome: 'not_imported', id, notes: [removed] };
    if (isProblem(error, 'not-found')) return undefined;
    throw error;
  }
}

/** Returns what is to be said about a file with the id of an article; undefined for one of another account. */
async function originalOfFile(
  here: Here,
  { id, file }: NonNullable<SourceArticle['written']>,
): Promise<Found | undefined> {
  const at = here.inventory.originals.get(id);
  if (at?.status === 'hidden') return { outcome: 'present', id, notes: [hidden], at };
  const note =
    'It is this article already, which an import does not revise. ' +
    `If ${file} has changed, revise the article with \`colophon publish\` and this file.`;
  if (at !== undefined) return { outcome: 'present', id, notes: [note], at };
  const found = await readOriginal(here, id);
  if (found?.outcome !== 'not_imported') return found;
  const again =
    'Without id and revision_id in its front matter, the file is imported as a new article.';
  return { ...found, notes: [...found.notes, again] };
}

/** Returns what happened to an article that this service has itself; undefined for any other article. */
export async function originalOf(here: Here, article: SourceArticle): Promise<Found | undefined> {
  const { written } = article;
  if (written !== undefined && isId(written.id) && isId(written.revision_id))
    return originalOfFile(here, written);
  const { id, service } = article.key;
  const at = here.inventory.originals.get(id);
  if (at !== undefined) return { outcome: 'present', id, notes: differenceOf(article, at), at };
  return service === here.service ? readOriginal(here, id) : undefined;
}
