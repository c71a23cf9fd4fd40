// The files and articles that a Markdown file refers to, and what its links are replaced by.
import type { SourceMedia } from '../source.ts';
import { fragmentOf } from './html-links.ts';
import { linkTo } from './markdown-links.ts';
import type { FoundLink } from './markdown-links.ts';
import { articlePathOf, decodeAddress, pathOf, postKey } from './markdown-paths.ts';
import type { Folder, PagePath } from './markdown-paths.ts';
import type { MarkdownText, Wikilink } from './markdown-text.ts';
import { fileMedia, isMediaName } from './media-files.ts';

export interface Page extends MarkdownText, PagePath {}

export interface Use {
  readonly start: number;
  readonly end: number;
  readonly media: SourceMedia;
  readonly with: (url: string) => string;
}

/** A link to another article. */
interface ArticleUse {
  readonly start: number;
  readonly end: number;
  readonly id: string;
  readonly written: string;
  readonly with: (url: string) => string;
}

export interface Uses {
  readonly linked: readonly ArticleUse[];
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

function articleUse(link: FoundLink, id: string): ArticleUse {
  const { start, end, url: written } = link;
  return { start, end, id, written, with: (url) => linkTo(link, url + fragmentOf(written)) };
}

async function linkUses(page: Page, open: OpenFile): Promise<Uses> {
  const used: Use[] = [];
  const linked: ArticleUse[] = [];
  const notes: string[] = [];
  for (const link of page.links) {
    const path = pathOf(page, link.url);
    const id = articlePathOf(page, link.url);
    const isLocal = !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(link.url);
    if (path !== undefined && isMediaName(path)) {
      const media = await open(path);
      const { start, end } = link;
      if (media !== undefined) used.push({ start, end, media, with: (url) => linkTo(link, url) });
    } else if (isLocal && isMediaName(decodeAddress(link.url)))
      notes.push(`The file ${link.url} is missing. Its link stays.`);
    else if (id !== undefined) linked.push(articleUse(link, id));
  }
  return { used, linked, texts: [], notes };
}

/** A link of Obsidian to a note of the vault. */
function noteUse(page: Page, wikilink: Wikilink): readonly ArticleUse[] {
  const { start, end, target, words } = wikilink;
  const id = target === '' ? undefined : articlePathOf(page, target);
  const safe = words.replaceAll(/[[\]\\]/g, String.raw`\$&`);
  if (id === undefined) return [];
  return [{ start, end, id, written: `[[${target}]]`, with: (url) => `[${safe}](${url})` }];
}

/** Embedded files of Obsidian become images; links to notes become links, or their words alone. */
async function wikilinkUses(page: Page, open: OpenFile): Promise<Uses> {
  const used: Use[] = [];
  const texts: { start: number; end: number; text: string }[] = [];
  const notes: string[] = [];
  const linked: ArticleUse[] = [];
  for (const wikilink of page.wikilinks) {
    const { start, end, isImage, target, words, alt } = wikilink;
    const path = isMediaName(target) ? pathOf(page, target) : undefined;
    const media = path === undefined ? undefined : await open(path);
    const written = (url: string) => `${isImage ? '!' : ''}[${alt}](${url})`;
    if (media !== undefined) used.push({ start, end, media, with: written });
    else texts.push({ start, end, text: words });
    if (media === undefined) linked.push(...noteUse(page, wikilink));
    if (media === undefined && isMediaName(target)) notes.push(`The file ${target} is missing.`);
  }
  return { used, linked, texts, notes };
}

/** Template tags that are the address of another page. */
function referenceUses(page: Page): Uses {
  const linked: ArticleUse[] = [];
  const notes: string[] = [];
  for (const { start, end, tag, target } of page.references) {
    const address = tag === 'post_url' ? `/_posts/${target}` : target.replace(/^(?=_)/, '/');
    const id = articlePathOf(page, address) ?? page.folder.byPost.get(postKey(address) ?? '');
    const written = `${tag} ${target}`;
    if (id === undefined) notes.push(`The template tag ${written} stays as text.`);
    else linked.push({ start, end, id, written, with: (url) => url + fragmentOf(target) });
  }
  return { used: [], linked, texts: [], notes };
}

export async function usesOf(page: Page): Promise<Uses> {
  const open = opener(page.folder);
  const links = await linkUses(page, open);
  const wiki = await wikilinkUses(page, open);
  const references = referenceUses(page);
  return {
    used: [...links.used, ...wiki.used],
    linked: [...links.linked, ...wiki.linked, ...references.linked],
    texts: wiki.texts,
    notes: [...links.notes, ...wiki.notes, ...references.notes],
  };
}
