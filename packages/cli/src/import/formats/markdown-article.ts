// One Markdown file as an article: its front matter, its title and time, and the files that it uses.
import { basename, dirname, posix } from 'node:path';
import type { SourceArticle, SourceMedia } from '../source.ts';
import { hashtags, templateTags, wikilinks, withoutTemplates } from './dialects.ts';
import { namesIn, splitFrontMatter, textIn } from './front-matter.ts';
import { edited, findLinks, leadingTitle, matchesOutside } from './markdown-links.ts';
import type { Found } from './markdown-links.ts';
import { fileMedia, isMediaName } from './media-files.ts';
import { withoutComments } from './comments.ts';
import { flagIn, isMarkedDraft, timesIn } from './publication.ts';
import { filledMetadata, simpleArticle, topicsOf } from './simple-article.ts';

type Row = Readonly<Record<string, unknown>>;

export interface Folder {
  readonly root: string;
  readonly kind: 'jekyll' | 'hugo' | 'obsidian' | 'plain';
  readonly service: string;
  readonly files: ReadonlySet<string>;
  /** Paths by the lower-case name of the file: Obsidian finds files by their name alone. */
  readonly byName: ReadonlyMap<string, string>;
}

interface Page {
  readonly folder: Folder;
  readonly path: string;
  readonly members: Row;
  readonly body: string;
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

async function linkUses(page: Page, found: Found, open: OpenFile): Promise<Uses> {
  const used: Use[] = [];
  const notes: string[] = [];
  for (const link of found.links) {
    const path = pathOf(page, link.url);
    const isLocal = !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(link.url);
    if (path !== undefined && isMediaName(path)) {
      const media = await open(path);
      if (media !== undefined) used.push({ ...link, media });
    } else if (isLocal && isMediaName(decoded(link.url)))
      notes.push(`The file ${link.url} is missing. Its link stays.`);
  }
  return { used, texts: [], notes };
}

interface Wikilink {
  readonly start: number;
  readonly end: number;
  readonly isImage: boolean;
  readonly target: string;
  /** The words of a link to a note. */
  readonly words: string;
  readonly alt: string;
}

function wikilinkOf(match: RegExpExecArray): Wikilink {
  const [whole, bang, target = '', heading = '', given = ''] = match;
  const words = given || [target, heading].filter((part) => part !== '').join(' › ');
  // The words of an image may be its size.
  const alt = given === '' || /^\d+(?:x\d+)?$/.test(given) ? basename(target) : given;
  const range = { start: match.index, end: match.index + whole.length };
  return { ...range, isImage: bang === '!', target: target.trim(), words, alt };
}

/** Embedded files of Obsidian become images; links to notes become their words. */
async function wikilinkUses(page: Page, found: Found, open: OpenFile): Promise<Uses> {
  const used: Use[] = [];
  const texts: { start: number; end: number; text: string }[] = [];
  const notes: string[] = [];
  for (const match of matchesOutside(page.body, found, wikilinks)) {
    const { start, end, isImage, target, words, alt } = wikilinkOf(match);
    const path = isMediaName(target) ? pathOf(page, target) : undefined;
    const media = path === undefined ? undefined : await open(path);
    const written = (url: string) => `${isImage ? '!' : ''}[${alt}](${url})`;
    if (media !== undefined) used.push({ start, end, media, with: written });
    else texts.push({ start, end, text: words });
    if (media === undefined && isMediaName(target)) notes.push(`The file ${target} is missing.`);
  }
  return { used, texts, notes };
}

async function usesOf(page: Page, found: Found): Promise<Uses> {
  const open = opener(page.folder);
  const links = await linkUses(page, found, open);
  if (page.folder.kind !== 'obsidian') return links;
  const wiki = await wikilinkUses(page, found, open);
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

/** Members with a meaning of their own. The others are kept as they are. */
const understood = new Set([
  'title',
  'date',
  'draft',
  'published',
  'publish',
  'tags',
  'categories',
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

function metadataOf({ members, body, folder }: Page, found: Found) {
  const isSpaced = folder.kind === 'jekyll';
  const inText = folder.kind === 'obsidian' ? matchesOutside(body, found, hashtags) : [];
  const topics = [
    ...namesIn(members, 'tags', isSpaced),
    ...namesIn(members, 'categories', isSpaced),
    ...inText.map(([, tag = '']) => tag),
  ].map((tag) => tag.replace(/^#/, ''));
  const rest = Object.entries(members).filter(([name]) => !understood.has(name));
  return filledMetadata({
    topics: topicsOf(topics),
    summary: textIn(members, 'description', 'summary', 'excerpt'),
    slug: textIn(members, 'slug'),
    front_matter: rest.length === 0 ? undefined : Object.fromEntries(rest),
  });
}

function templateNotes(page: Page, found: Found): readonly string[] {
  const tags = matchesOutside(page.body, found, templateTags).map(([, a, b]) => a ?? b ?? '');
  const names = [...new Set(tags)];
  return names.length === 0 ? [] : [`Template tags stay as text: ${names.join(', ')}.`];
}

function titled(members: Row, body: string): { readonly title: string; readonly body: string } {
  const title = textIn(members, 'title');
  const leading = title === '' ? leadingTitle(body) : undefined;
  return leading === undefined ? { title, body } : { title: leading.title, body: leading.rest };
}

const isSite = ({ kind }: Folder): boolean => kind === 'jekyll' || kind === 'hugo';

/** Returns the text that is parsed: without templates, and without what only the author sees. */
function visible(folder: Folder, text: string): ReturnType<typeof withoutComments> {
  const plain = isSite(folder) ? withoutTemplates(text) : text;
  return withoutComments(plain, folder.kind === 'obsidian');
}

/** Returns the article of a file. @throws a refusal for front matter that cannot be parsed */
export async function markdownArticle(
  folder: Folder,
  path: string,
  text: string,
): Promise<SourceArticle> {
  const { members, body: whole } = splitFrontMatter(text);
  const { text: shown, cutBy } = visible(folder, whole);
  const { title, body } = titled(members, shown);
  const page = { folder, path, members, body };
  const found = findLinks(body);
  const { used, texts, notes } = await usesOf(page, found);
  const canonical = textIn(members, 'canonical_url', 'canonicalURL');
  const { notes: timeNotes, ...publication } = publicationOf(page);
  return simpleArticle({
    ...publication,
    key: { service: folder.service, id: path },
    title: title || nameParts(path).words.replaceAll(/[-_]+/g, ' '),
    fallbackTitle: path,
    language: textIn(members, 'lang', 'language') || undefined,
    canonicalUrl: /^https?:\/\//.test(canonical) ? canonical : null,
    metadata: metadataOf(page, found),
    origin: { path },
    media: [...new Set(used.map(({ media }) => media))],
    featured: await featuredOf(page),
    notes: [
      ...timeNotes,
      ...draftNotes(page, publication.isPublished || publication.publishedAt !== undefined),
      ...(cutBy === undefined
        ? []
        : [`A comment (${cutBy}) has no end. The text after it is left out.`]),
      ...notes,
      ...(isSite(folder) ? templateNotes(page, found) : []),
    ],
    sourceText: text,
    render: (urlOf) => {
      const edits = used.flatMap(({ start, end, media, with: written }) => {
        const url = urlOf(media);
        return url === undefined ? [] : [{ start, end, text: written(url) }];
      });
      return edited(body, [...edits, ...texts]).trim();
    },
  });
}
