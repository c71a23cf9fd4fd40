// One Markdown file as an article: its front matter, its title and time, and the files that it uses.
import { basename, dirname, posix } from 'node:path';
import type { SourceArticle, SourceMedia } from '../source.ts';
import { parse } from '../parsing/parser.ts';
import { textIn } from './front-matter.ts';
import { edited, linkTo } from './markdown-links.ts';
import { metadataOf } from './markdown-metadata.ts';
import type { FolderKind, MarkdownText } from './markdown-text.ts';
import { fileMedia, isMediaName } from './media-files.ts';
import { flagIn, isMarkedDraft, timesIn } from './publication.ts';
import { simpleArticle } from './simple-article.ts';

type Row = Readonly<Record<string, unknown>>;

export interface Folder {
  readonly root: string;
  readonly kind: FolderKind;
  readonly service: string;
  readonly files: ReadonlySet<string>;
  /** Paths by the lower-case name of the file: Obsidian finds files by their name alone. */
  readonly byName: ReadonlyMap<string, string>;
  /** Publishes members of front matter without a known meaning, too. */
  readonly keepFrontMatter: boolean;
  /** The most processor time for one text, if it is not the usual. */
  readonly parseMs: number | undefined;
}

interface Page extends MarkdownText {
  readonly folder: Folder;
  readonly path: string;
}

function decoded(address: string): string {
  const bare = address.replace(/[?#][^]*$/, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

/** Returns the path of the file that an address in a page means: relative to the page, or to the site. */
function pathOf(
  { folder, path }: Pick<Page, 'folder' | 'path'>,
  address: string,
): string | undefined {
  // The address of the site, as Jekyll writes it.
  const local = decoded(address.replace(/^\{\{\s*(?:site\.\w+|"[^"]*"\s*\|\s*\w+)\s*\}\}/, ''));
  if (local === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(local)) return undefined;
  const inSite = local.replace(/^\/+/, '');
  const beside = posix.normalize(posix.join(dirname(path), local));
  const candidates = [
    ...(local.startsWith('/') ? [] : [beside]),
    ...['', 'static/', 'assets/', 'public/'].map((start) => posix.normalize(start + inSite)),
  ];
  const found = candidates.find((each) => folder.files.has(each));
  const byName =
    folder.kind === 'obsidian' ? folder.byName.get(basename(local).toLowerCase()) : undefined;
  return found ?? byName;
}

interface Use {
  readonly start: number;
  readonly end: number;
  readonly media: SourceMedia;
  readonly with: (url: string) => string;
}

interface Uses {
  readonly used: readonly Use[];
  /** Replacements that depend on no file. */
  readonly texts: readonly {
    readonly start: number;
    readonly end: number;
    readonly text: string;
  }[];
  readonly notes: readonly string[];
}

/** Files are opened once for each page. */
function opener(folder: Folder) {
  const opened = new Map<string, Promise<SourceMedia | undefined>>();
  return (path: string): Promise<SourceMedia | undefined> => {
    const media = opened.get(path) ?? fileMedia(folder.root, path);
    opened.set(path, media);
    return media;
  };
}

type OpenFile = ReturnType<typeof opener>;

async function linkUses(page: Page, open: OpenFile): Promise<Uses> {
  const used: Use[] = [];
  const notes: string[] = [];
  for (const link of page.links) {
    const path = pathOf(page, link.url);
    const isLocal = !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(link.url);
    if (path !== undefined && isMediaName(path)) {
      const media = await open(path);
      const { start, end } = link;
      if (media !== undefined) used.push({ start, end, media, with: (url) => linkTo(link, url) });
    } else if (isLocal && isMediaName(decoded(link.url)))
      notes.push(`The file ${link.url} is missing. Its link stays.`);
  }
  return { used, texts: [], notes };
}

/** Embedded files of Obsidian become images; links to notes become their words. */
async function wikilinkUses(page: Page, open: OpenFile): Promise<Uses> {
  const used: Use[] = [];
  const texts: { start: number; end: number; text: string }[] = [];
  const notes: string[] = [];
  for (const { start, end, isImage, target, words, alt } of page.wikilinks) {
    const path = isMediaName(target) ? pathOf(page, target) : undefined;
    const media = path === undefined ? undefined : await open(path);
    const written = (url: string) => `${isImage ? '!' : ''}[${alt}](${url})`;
    if (media !== undefined) used.push({ start, end, media, with: written });
    else texts.push({ start, end, text: words });
    if (media === undefined && isMediaName(target)) notes.push(`The file ${target} is missing.`);
  }
  return { used, texts, notes };
}

async function usesOf(page: Page): Promise<Uses> {
  const open = opener(page.folder);
  const links = await linkUses(page, open);
  const wiki = await wikilinkUses(page, open);
  return {
    used: [...links.used, ...wiki.used],
    texts: wiki.texts,
    notes: [...links.notes, ...wiki.notes],
  };
}

/** A name like `2026-11-23-welcome-to-jekyll.markdown`. */
function nameParts(path: string): { readonly day: string; readonly words: string } {
  const bare = basename(path).replace(/\.\w+$/, '');
  const isIndex = /^_?index$/.test(bare) && path.includes('/');
  const own = isIndex ? basename(dirname(path)) : bare;
  const [, day = '', rest = own] = /^(\d{4}-\d{2}-\d{2})-(.+)$/.exec(own) ?? [];
  return { day, words: rest };
}

/**
 * Publishes only what the author has published: with a time and not as a draft; in a vault of notes only with
 * `publish: true`.
 */
function publicationOf({ folder, path, members }: Page) {
  const times = timesIn(members, nameParts(path).day);
  const isDraft = isMarkedDraft(members) || /(?:^|\/)_drafts\//.test(path);
  const isMarked = flagIn(members, 'publish') === true || flagIn(members, 'published') === true;
  const hasTime = folder.kind !== 'obsidian' && times.publishedAt !== undefined;
  const isReady = !isDraft && (isMarked || hasTime);
  return {
    publishedAt: times.publishedAt,
    isPublished: isReady && times.note === undefined,
    notes: isReady && times.note !== undefined ? [times.note] : [],
  };
}

/** A page without a time may be published, or a note for its author alone. */
function draftNotes({ folder, members }: Page, hasTime: boolean): readonly string[] {
  if (hasTime || folder.kind === 'obsidian') return [];
  const isOwn = ['draft', 'published'].some((name) => name in members);
  return isOwn ? [] : ['It has no date, and is imported as a draft.'];
}

const imageNames = ['featured_image', 'image', 'cover', 'thumbnail', 'hero', 'banner'] as const;

async function featuredOf(page: Page): Promise<SourceMedia | undefined> {
  const { members } = page;
  for (const name of imageNames) {
    const value = members[name];
    const inner = typeof value === 'object' && value !== null ? (value as Row) : { path: value };
    const address = textIn(inner, 'path', 'image', 'src', 'url').replace(/^\[\[|\]\]$/g, '');
    const path = address === '' ? undefined : pathOf(page, address);
    if (path !== undefined) return fileMedia(page.folder.root, path);
  }
  return undefined;
}

function templateNotes({ templates }: MarkdownText): readonly string[] {
  return templates.length === 0 ? [] : [`Template tags stay as text: ${templates.join(', ')}.`];
}

function cutNotes({ cutBy }: MarkdownText): readonly string[] {
  return cutBy === undefined
    ? []
    : [`A comment (${cutBy}) has no end. The text after it is left out.`];
}

/** Returns the article of a file. @throws a refusal for a text that cannot be parsed */
export async function markdownArticle(
  folder: Folder,
  path: string,
  text: string,
): Promise<SourceArticle> {
  const parsed = await parse('readMarkdown', { text, kind: folder.kind }, folder.parseMs);
  const page = { ...parsed, folder, path };
  const { members, title, body } = page;
  const { used, texts, notes } = await usesOf(page);
  const metadata = metadataOf(page, folder);
  const canonical = textIn(members, 'canonical_url', 'canonicalURL');
  const { notes: timeNotes, ...publication } = publicationOf(page);
  return simpleArticle({
    ...publication,
    key: { service: folder.service, id: path },
    title: title || nameParts(path).words.replaceAll(/[-_]+/g, ' '),
    fallbackTitle: path,
    language: textIn(members, 'lang', 'language') || undefined,
    canonicalUrl: /^https?:\/\//.test(canonical) ? canonical : null,
    metadata: metadata.kept,
    hashed: metadata.whole,
    origin: { path },
    media: [...new Set(used.map(({ media }) => media))],
    featured: await featuredOf(page),
    notes: [
      ...timeNotes,
      ...draftNotes(page, publication.isPublished || publication.publishedAt !== undefined),
      ...cutNotes(page),
      ...notes,
      ...templateNotes(page),
      ...metadata.notes,
    ],
    sourceText: text,
    render: async (urlOf) => {
      const edits = used.flatMap(({ start, end, media, with: written }) => {
        const url = urlOf(media);
        return url === undefined ? [] : [{ start, end, text: written(url) }];
      });
      return edited(body, [...edits, ...texts]).trim();
    },
  });
}
