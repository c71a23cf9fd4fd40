// The Markdown files of an export, which people and other programs read: compared with the texts of its records.
import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../json.ts';
import { parse } from '../parsing/parser.ts';
import { isRefusal } from '../source.ts';
import type { ArticleFile, RevisionRecord } from './records.ts';
import { quoteName } from './zip.ts';
import type { Zip } from './zip.ts';

const copyMax = 16 * 1024 * 1024;
const idPattern = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** What is wrong with a Markdown file. */
export interface CopyFault {
  readonly articleId: string | null;
  readonly revisionId: string | null;
  readonly detail: string;
}

interface Copy {
  readonly members: Readonly<Record<string, unknown>>;
  readonly content: string;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The service writes the front matter, an empty line, and the text as it is. */
async function readCopy(text: string): Promise<Copy | undefined> {
  const end = text.indexOf('\n---\n\n');
  if (!text.startsWith('---\n') || end < 0) return undefined;
  const members = await parse('readYamlMembers', text.slice('---\n'.length, end));
  return { members, content: text.slice(end + '\n---\n\n'.length) };
}

async function copyIn(zip: Zip, name: string): Promise<Copy | undefined> {
  const bytes = await zip.read(name, copyMax);
  try {
    return await readCopy(decoder.decode(bytes));
  } catch (error) {
    if (isRefusal(error) || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** In JSON there is one zero; YAML has a negative one too. */
const asJson = (value: unknown) => parseJson(JSON.stringify(value ?? null), 'The metadata');

function hasText({ members, content }: Copy, revision: RevisionRecord): boolean {
  const { title, metadata } = members;
  if (title !== revision.title || content !== revision.content) return false;
  return isDeepStrictEqual(asJson(metadata), asJson(revision.metadata));
}

/** Returns what is wrong with the file of an article, in words. */
async function detailOf(
  zip: Zip,
  names: readonly string[],
  { article, revisions }: ArticleFile,
): Promise<string | undefined> {
  const [name] = names;
  const newest = revisions.at(-1);
  if (name === undefined || newest === undefined) return 'its Markdown file is missing';
  if (names.length > 1)
    return `it has ${names.length} Markdown files, and one of them is not its own`;
  const copy = await copyIn(zip, name);
  if (copy === undefined) return `${quoteName(name)} cannot be read: it was changed`;
  const { id, revision_id } = copy.members;
  if (id !== article.id || revision_id !== newest.revision_id)
    return `${quoteName(name)} names another article or revision`;
  return hasText(copy, newest)
    ? undefined
    : `${quoteName(name)} does not have the title, the text and the metadata of the revision`;
}

export interface MarkdownCopies {
  /** Returns what is wrong with the Markdown file of an article; nothing if it has the text of the newest revision. */
  faultsOf(file: ArticleFile): Promise<readonly CopyFault[]>;
  /** Returns the files of articles that were not asked for: the export has no record of them. */
  strays(): readonly CopyFault[];
}

/** Returns the id at the end of the name of a file: `articles/on-proofs-ID.md`. */
function idIn(name: string): string {
  return name.slice(-'.md'.length - 26, -'.md'.length);
}

/** Opens the Markdown files of an export. */
export function openCopies(zip: Zip): MarkdownCopies {
  const names = zip.names.filter((name) => name.startsWith('articles/') && name.endsWith('.md'));
  const unread = new Map<string, string[]>();
  for (const name of names) {
    const id = idIn(name);
    const others = unread.get(id);
    if (others === undefined) unread.set(id, [name]);
    else others.push(name);
  }
  return {
    faultsOf: async (file) => {
      const { id: articleId } = file.article;
      const own = unread.get(articleId) ?? [];
      unread.delete(articleId);
      const detail = await detailOf(zip, own, file);
      const revisionId = file.revisions.at(-1)?.revision_id ?? null;
      return detail === undefined ? [] : [{ articleId, revisionId, detail }];
    },
    strays: () =>
      [...unread].flatMap(([id, stray]) =>
        stray.map((name) => ({
          articleId: idPattern.test(id) ? id : null,
          revisionId: null,
          detail: `the export has no record of ${quoteName(name)}`,
        })),
      ),
  };
}
