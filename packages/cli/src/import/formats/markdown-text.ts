// The text of a Markdown file as plain data: its front matter, and all that its article depends on.
import { basename } from 'node:path';
import { withoutComments } from './comments.ts';
import { hashtags, pageReferences, templateTags, wikilinks, withoutTemplates } from './dialects.ts';
import { splitFrontMatter, textIn, withUsualNames } from './front-matter.ts';
import { findLinks, leadingTitle, matchesOutside } from './markdown-links.ts';
import type { Found, FoundLink } from './markdown-links.ts';

type Row = Readonly<Record<string, unknown>>;

export type FolderKind = 'jekyll' | 'hugo' | 'obsidian' | 'plain';

const isSite = (kind: FolderKind): boolean => kind === 'jekyll' || kind === 'hugo';

/** `[[Note|words]]` or `![[image.png]]` of Obsidian. */
export interface Wikilink {
  readonly start: number;
  readonly end: number;
  readonly isImage: boolean;
  readonly target: string;
  /** The words of a link to a note. */
  readonly words: string;
  readonly alt: string;
}

/** A template tag that is the address of another page. */
export interface PageReference {
  readonly start: number;
  readonly end: number;
  /** `post_url`, `link`, `ref` or `relref`. */
  readonly tag: string;
  readonly target: string;
}

export interface MarkdownText {
  readonly members: Row;
  /** Empty if the file names none. */
  readonly title: string;
  readonly body: string;
  /** The mark of a comment without an end, which hides the rest of the file. */
  readonly cutBy: string | undefined;
  readonly links: readonly FoundLink[];
  readonly wikilinks: readonly Wikilink[];
  readonly references: readonly PageReference[];
  /** `#tags` in the text. */
  readonly hashtags: readonly string[];
  /** Names of template tags that stay as text. */
  readonly templates: readonly string[];
}

function wikilinkOf(match: RegExpExecArray): Wikilink {
  const [whole, bang, target = '', heading = '', given = ''] = match;
  const words = given || [target, heading].filter((part) => part !== '').join(' › ');
  // The words of an image may be its size.
  const alt = given === '' || /^\d+(?:x\d+)?$/.test(given) ? basename(target) : given;
  const range = { start: match.index, end: match.index + whole.length };
  return { ...range, isImage: bang === '!', target: target.trim(), words, alt };
}

function splitTitle(members: Row, body: string): { readonly title: string; readonly body: string } {
  const title = textIn(members, 'title');
  const leading = title === '' ? leadingTitle(body) : undefined;
  return leading === undefined ? { title, body } : { title: leading.title, body: leading.rest };
}

function obsidianParts(body: string, found: Found) {
  return {
    wikilinks: matchesOutside(body, found, wikilinks).map(wikilinkOf),
    hashtags: matchesOutside(body, found, hashtags).map(([, tag = '']) => tag),
  };
}

function referenceOf(match: RegExpExecArray): PageReference {
  const [whole, tag, target, hugoTag = '', hugoTarget = ''] = match;
  const range = { start: match.index, end: match.index + whole.length };
  return { ...range, tag: tag ?? hugoTag, target: target ?? hugoTarget };
}

const referenceTags = new Set(['post_url', 'link', 'ref', 'relref']);

function templatesIn(body: string, found: Found): readonly string[] {
  const tags = matchesOutside(body, found, templateTags).map(([, a, b]) => a ?? b ?? '');
  return [...new Set(tags)].filter((tag) => !referenceTags.has(tag));
}

/** Reads a file. @throws a refusal for front matter that cannot be parsed */
export function readMarkdown(given: {
  readonly text: string;
  readonly kind: FolderKind;
}): MarkdownText {
  const { text, kind } = given;
  const { members: written, body: whole } = splitFrontMatter(text);
  const members = kind === 'hugo' ? withUsualNames(written) : written;
  // Without templates, and without what only the author sees.
  const plain = isSite(kind) ? withoutTemplates(whole) : whole;
  const { text: shown, cutBy } = withoutComments(plain, kind === 'obsidian');
  const { title, body } = splitTitle(members, shown);
  const found = findLinks(body);
  return {
    members,
    title,
    body,
    cutBy,
    links: found.links,
    ...(kind === 'obsidian' ? obsidianParts(body, found) : { wikilinks: [], hashtags: [] }),
    references: isSite(kind) ? matchesOutside(body, found, pageReferences).map(referenceOf) : [],
    templates: isSite(kind) ? templatesIn(body, found) : [],
  };
}
