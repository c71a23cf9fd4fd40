// The pages of an archive that open in a browser without a server. Pure.
import { escapeAttribute, escapeText } from '@colophon/text/lib/escape';
import { slugify } from '#lib/slug';

export const articlesPerPage = 1_000;
/** File names have at most 255 bytes on most systems; a slug in another script takes up to 4 for each character. */
const slugBytesMax = 180;

/** Returns the name of the file of an article: the beginning of its slug, and its id. */
export function articleFile(title: string, id: string): string {
  let slug = slugify(title);
  while (Buffer.byteLength(slug) > slugBytesMax) slug = [...slug].slice(0, -1).join('');
  return `articles/${slug}-${id}.md`;
}

interface Listed {
  readonly title: string;
  /** Path of its file; undefined for a removed article. */
  readonly file: string | undefined;
  readonly status: string;
  readonly date: string;
}

/** Returns the line of an article in the list. It has no line break, so that the list is cut into pages by lines. */
export function articleLine({ title, file, status, date }: Listed): string {
  const name = escapeText(title.replaceAll(/\s+/g, ' '));
  const path = file?.split('/').map(encodeURIComponent).join('/');
  const shown = path === undefined ? name : `<a href="${escapeAttribute(path)}">${name}</a>`;
  return `<li>${shown} <small>${escapeText(status)}, ${escapeText(date.slice(0, 10))}</small></li>\n`;
}

export interface IndexFacts {
  readonly username: string;
  readonly displayName: string | null;
  readonly origin: string;
  readonly exportedAt: string;
  readonly counts: Readonly<Record<string, number>>;
}

export const pagesOf = (articles: number) => Math.max(Math.ceil(articles / articlesPerPage), 1);

/** Returns the name of a page, counted from 1. */
export const pageFile = (page: number) => (page === 1 ? 'index.html' : `index-${page}.html`);

const style =
  'body{font:1rem/1.6 system-ui,sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'small{opacity:.7}dt{font-weight:600}';

function links(page: number, pages: number): string {
  if (pages === 1) return '';
  const to = (other: number, text: string) => `<a href="${pageFile(other)}">${text}</a>`;
  const around = [
    ...(page > 1 ? [to(page - 1, 'Newer articles')] : []),
    ...(page < pages ? [to(page + 1, 'Older articles')] : []),
  ];
  return `<nav><p>Page ${page} of ${pages}. ${around.join(' · ')}</p></nav>\n`;
}

/** Returns one page of the index with the lines of its articles. */
export function indexPage(facts: IndexFacts, page: number, lines: string): string {
  const { username, displayName, origin, exportedAt, counts } = facts;
  const name = escapeText(displayName ?? username);
  const pages = pagesOf(counts['articles'] ?? 0);
  const numbers = Object.entries(counts).map(
    ([what, count]) => `<dt>${what}</dt><dd>${count}</dd>`,
  );
  const about =
    `<p>Exported from <a href="${escapeAttribute(`${origin}/@${username}`)}">${escapeText(origin)}</a> on ` +
    `<time>${escapeText(exportedAt)}</time>. <code>sha256sum -c checksums.txt</code> checks the files.</p>\n` +
    `<dl>${numbers.join('')}</dl>\n`;
  const list = lines === '' ? '<p>No articles.</p>\n' : `<h2>Articles</h2>\n<ul>\n${lines}</ul>\n`;
  return (
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n' +
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">\n` +
    '<meta name="viewport" content="width=device-width">\n' +
    `<title>${name}: export</title>\n<style>${style}</style>\n<h1>${name}</h1>\n` +
    `${page === 1 ? about : ''}${list}${links(page, pages)}</html>\n`
  );
}
