// What an address in a Markdown file leads to: a file of the folder, or another article.
import { basename, dirname, posix } from 'node:path';
import type { FolderKind } from './markdown-text.ts';

export interface Folder {
  readonly root: string;
  readonly kind: FolderKind;
  readonly service: string;
  readonly files: ReadonlySet<string>;
  /** Paths of the files that are articles. */
  readonly articles: ReadonlySet<string>;
  /** Paths of posts by the address that Jekyll gives them: day and name. */
  readonly byPost: ReadonlyMap<string, string>;
  /** Paths by the lower-case name of the file: Obsidian finds files by their name alone. */
  readonly byName: ReadonlyMap<string, string>;
  /** Publishes members of front matter without a known meaning, too. */
  readonly keepFrontMatter: boolean;
  /** The most processor time for one text, if it is not the usual. */
  readonly parseMs: number | undefined;
}

export function decodeAddress(address: string): string {
  const bare = address.replace(/[?#][^]*$/, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

/** A page in a folder. */
export interface PagePath {
  readonly folder: Folder;
  readonly path: string;
}

/** Returns the path of the file that an address in a page means: relative to the page, or to the site. */
export function pathOf({ folder, path }: PagePath, address: string): string | undefined {
  // The address of the site, as Jekyll writes it.
  const local = decodeAddress(
    address.replace(/^\{\{\s*(?:site\.\w+|"[^"]*"\s*\|\s*\w+)\s*\}\}/, ''),
  );
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

/** What can be left out at the end of the address of an article. */
const endings = ['', '.md', '.markdown', '/index.md', '/_index.md', '/index.markdown'];
/** Where sites have their pages. */
const roots = ['', 'content/', '_posts/', 'content/posts/'];

/** The day and the name of a post, as in its file and in its address. */
export function postKey(address: string): string | undefined {
  const [, year, month, day, name] =
    /(?:^|\/)(\d{4})[-/](\d{2})[-/](\d{2})[-/]([^/]+?)(?:\.\w{1,10})?\/?$/.exec(address) ?? [];
  return name === undefined ? undefined : `${year}-${month}-${day}-${name}`.toLowerCase();
}

function candidatesOf({ path }: PagePath, address: string): readonly string[] {
  const bare = address.replace(/\.html$/, '').replace(/\/$/, '');
  const inSite = bare.replace(/^\/+/, '');
  const beside = address.startsWith('/') ? [] : [posix.join(dirname(path), bare)];
  return [...beside, ...roots.map((root) => root + inSite)].flatMap((each) =>
    endings.map((ending) => posix.normalize(each + ending)),
  );
}

/**
 * Returns the path of the article that an address in a page means, also without its ending, and as a site
 * serves it.
 */
export function articlePathOf(page: PagePath, address: string): string | undefined {
  const { folder } = page;
  const local = decodeAddress(address.replace(/^\{\{\s*site\.\w+\s*\}\}/, ''));
  if (local === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(local)) return undefined;
  const found = candidatesOf(page, local).find((each) => folder.articles.has(each));
  if (found !== undefined) return found;
  if (folder.kind === 'jekyll') return folder.byPost.get(postKey(local) ?? '');
  if (folder.kind !== 'obsidian') return undefined;
  const name = basename(local).toLowerCase();
  const note = folder.byName.get(`${name}.md`) ?? folder.byName.get(name);
  return note !== undefined && folder.articles.has(note) ? note : undefined;
}
