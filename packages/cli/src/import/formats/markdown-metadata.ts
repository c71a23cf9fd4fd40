// The metadata of a Markdown file: topics and summary, and those members of its front matter that are meant for readers.
import { namesIn, textIn } from './front-matter.ts';
import type { FolderKind, MarkdownText } from './markdown-text.ts';
import { filledMetadata } from './simple-article.ts';

type Row = Readonly<Record<string, unknown>>;

/** Members that become something else than metadata.front_matter. */
const understood = new Set([
  'title',
  'date',
  'draft',
  'published',
  'publish',
  'topics',
  'tags',
  'categories',
  'authorship_disclosure',
  'lang',
  'language',
  'slug',
  'canonical_url',
  'canonicalURL',
  'description',
  'summary',
  'excerpt',
  'layout',
]);

/** Members of sites and vaults that readers see at the origin. Any other one may be a note of its author. */
const known = new Set([
  'abstract',
  'aliases',
  'author',
  'authors',
  'copyright',
  'doi',
  'keywords',
  'last_modified_at',
  'lastmod',
  'license',
  'modified',
  'permalink',
  'pubDate',
  'publishDate',
  'published_at',
  'redirect_from',
  'series',
  'subtitle',
  'updated',
  'url',
]);

/** Members that are used elsewhere, or that are for the program: left out without a word. */
const silent = new Set([
  'banner',
  'comments',
  'cover',
  'cssclasses',
  'expiryDate',
  'featured_image',
  'hero',
  'image',
  'menu',
  'private',
  'thumbnail',
  'toc',
  'type',
  'unlisted',
  'unpublishDate',
  'visibility',
  'weight',
]);

const isEmailAddress = (text: string): boolean => /[^\s@]@[^\s@]/.test(text);

/** Text or numbers, alone or in a list. An address of e-mail is not for everybody. */
function isPlain(value: unknown): boolean {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.every(
    (each) =>
      ['number', 'boolean'].includes(typeof each) ||
      (typeof each === 'string' && !isEmailAddress(each)),
  );
}

export interface MarkdownMetadata {
  /** Names of topics, as the file has them. */
  readonly topics: readonly string[];
  /** What is published. */
  readonly kept: Row;
  /** With all members: what the hash of the source is made of. */
  readonly whole: Row;
  readonly notes: readonly string[];
}

interface Folder {
  readonly kind: FolderKind;
  readonly keepFrontMatter: boolean;
}

function withFrontMatter(metadata: Row, rest: readonly (readonly [string, unknown])[]): Row {
  const frontMatter = rest.length === 0 ? undefined : Object.fromEntries(rest);
  return filledMetadata({ ...metadata, front_matter: frontMatter });
}

export function metadataOf({ members, hashtags }: MarkdownText, folder: Folder): MarkdownMetadata {
  const isSpaced = folder.kind === 'jekyll';
  const topics = [
    // As `colophon publish` and `colophon pull` write them.
    ...namesIn(members, 'topics', false),
    ...namesIn(members, 'tags', isSpaced),
    ...namesIn(members, 'categories', isSpaced),
    ...hashtags,
  ].map((tag) => tag.replace(/^#/, ''));
  const own = {
    summary: textIn(members, 'description', 'summary', 'excerpt'),
    slug: textIn(members, 'slug'),
  };
  const rest = Object.entries(members).filter(([name]) => !understood.has(name));
  const isKept = ([name, value]: readonly [string, unknown]) =>
    folder.keepFrontMatter || (known.has(name) && isPlain(value));
  const left = rest
    .filter((entry) => !isKept(entry) && !silent.has(entry[0]))
    .map(([name]) => name)
    .toSorted((a, b) => (a < b ? -1 : 1));
  return {
    topics,
    kept: withFrontMatter(own, rest.filter(isKept)),
    whole: withFrontMatter(own, rest),
    notes: left.length === 0 ? [] : [`Front matter that is not published: ${left.join(', ')}.`],
  };
}
