// A Ghost export (JSON) as the source of an import.
import { readFile, stat } from 'node:fs/promises';
import { isObject, parseJson } from '../json.ts';
import { isRefusal, refusal } from '../source.ts';
import type { ParseLimit, Source, SourceArticle, SourceMedia, Unfit } from '../source.ts';
import { parse } from '../parsing/parser.ts';
import { openFiles } from './media-files.ts';
import type { Files } from './media-files.ts';
import { publicHtml } from './ghost-html.ts';
import { articlesAt, linksToOf, newAddresses } from './html-links.ts';
import { filledMetadata, scheduledNote, simpleArticle } from './simple-article.ts';

type Row = Readonly<Record<string, unknown>>;

const fileMax = 256 * 1024 * 1024;

interface Site {
  readonly posts: readonly Row[];
  readonly idsBySlug: ReadonlyMap<string, string>;
  readonly meta: ReadonlyMap<string, Row>;
  /** Names by the id of a post, in order. */
  readonly tags: ReadonlyMap<string, readonly string[]>;
  readonly authors: ReadonlyMap<string, readonly string[]>;
  /** Names of users by their id: early versions of Ghost name one author in the post itself. */
  readonly users: ReadonlyMap<string, string>;
  readonly language: string | undefined;
  /** Whether the export marks the addresses of its own site, whose host no export names. */
  readonly hasMarks: boolean;
  readonly files: Files | undefined;
  readonly parseMs: number | undefined;
}

function textIn(row: Row, name: string): string {
  const value = row[name];
  return typeof value === 'string' ? value : '';
}

/** Returns a key of a table. Early versions of Ghost count them. */
function keyIn(row: Row, name: string): string {
  const value = row[name];
  return typeof value === 'number' ? String(value) : textIn(row, name);
}

/** Its id in the origin. */
function idOf(post: Row): string {
  return textIn(post, 'uuid') || keyIn(post, 'id');
}

function rowsOf(tables: Row, name: string): readonly Row[] {
  const rows = tables[name];
  return Array.isArray(rows) ? rows.filter(isObject) : [];
}

/** Joins posts with the names of another table, in their order. */
function namesByPost(
  links: readonly Row[],
  column: string,
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const byPost = new Map<string, string[]>();
  const sorted = links.toSorted(
    (a, b) => Number(a['sort_order'] ?? 0) - Number(b['sort_order'] ?? 0),
  );
  for (const link of sorted) {
    const name = names.get(keyIn(link, column));
    const post = keyIn(link, 'post_id');
    if (name !== undefined) byPost.set(post, [...(byPost.get(post) ?? []), name]);
  }
  return byPost;
}

function namesOf(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [keyIn(row, 'id'), textIn(row, 'name')]));
}

/** Finds the tables: `{db: [{data}]}`, or `{data}` in older exports. */
function tablesOf(raw: unknown): Row {
  const outer: Row = isObject(raw) ? raw : {};
  const [first] = Array.isArray(outer['db']) ? (outer['db'] as unknown[]) : [outer];
  const tables = isObject(first) ? first['data'] : undefined;
  if (isObject(tables) && Array.isArray(tables['posts'])) return tables;
  throw refusal('This is not a Ghost export: it has no table of posts.');
}

const mark = '__GHOST_URL__';

const isMarked = (row: Row) =>
  Object.values(row).some((value) => typeof value === 'string' && value.includes(`${mark}/`));

function siteOf(tables: Row, files: Files | undefined, parseMs: number | undefined): Site {
  const isPublic = (tag: Row) =>
    tag['visibility'] !== 'internal' && !textIn(tag, 'name').startsWith('#');
  const tags = namesOf(rowsOf(tables, 'tags').filter(isPublic));
  const users = namesOf(rowsOf(tables, 'users'));
  const locale = rowsOf(tables, 'settings').find(({ key }) => key === 'locale' || key === 'lang');
  return {
    posts: rowsOf(tables, 'posts'),
    idsBySlug: new Map(rowsOf(tables, 'posts').map((post) => [textIn(post, 'slug'), idOf(post)])),
    meta: new Map(rowsOf(tables, 'posts_meta').map((row) => [keyIn(row, 'post_id'), row])),
    tags: namesByPost(rowsOf(tables, 'posts_tags'), 'tag_id', tags),
    authors: namesByPost(rowsOf(tables, 'posts_authors'), 'author_id', users),
    users,
    language: locale === undefined ? undefined : textIn(locale, 'value') || undefined,
    hasMarks: rowsOf(tables, 'posts').some(isMarked),
    files,
    parseMs,
  };
}

/** Times are UTC, with or without a mark; older exports have milliseconds. */
function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const isBare = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(String(value));
  const time = new Date(isBare ? `${String(value).replace(' ', 'T')}Z` : value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/**
 * Returns the path of a file below `content`; a variant of an image has the path of the image. Where own
 * addresses are marked, one with a host is of another site, which may have a file with the same path.
 */
function contentPath({ hasMarks }: Pick<Site, 'hasMarks'>, address: string): string | undefined {
  const [, host = '', path] =
    /^(__GHOST_URL__|https?:\/\/[^/]+)?\/content\/([^?#]+)/.exec(address) ?? [];
  if (path === undefined || (hasMarks && host !== '' && host !== mark)) return undefined;
  try {
    return decodeURIComponent(
      path.replace(/^images\/size\/[^/]+\/(?:format\/[^/]+\/)?/, 'images/'),
    );
  } catch {
    return undefined;
  }
}

/** Returns the id of the post at an address: `__GHOST_URL__/slug/`, or with a date before the slug. */
function postAt({ idsBySlug }: Site, address: string): string | undefined {
  const [, slug = ''] =
    /^(?:__GHOST_URL__)?\/(?:\d{4}\/(?:\d{2}\/){0,2})?([^/?#]+)\/?(?:[?#]|$)/.exec(address) ?? [];
  return slug === '' ? undefined : idsBySlug.get(slug);
}

async function mediaAt(site: Site, address: string, alt: string): Promise<SourceMedia | undefined> {
  const path = contentPath(site, address);
  if (path === undefined || site.files === undefined) return undefined;
  // People give the folder `content`, the one around it, or `images` itself.
  for (const name of [path, `content/${path}`, path.replace(/^images\//, '')]) {
    const media = await site.files.find(name, alt === '' ? null : alt);
    if (media !== undefined) return media;
  }
  return undefined;
}

const isLimitedTo = (visibility: string) => visibility !== '' && visibility !== 'public';

const cutNote = 'Blocks that only members could read are left out.';

function notesOf(post: Row, missing: readonly string[]): readonly string[] {
  const visibility = textIn(post, 'visibility');
  const isLimited = isLimitedTo(visibility);
  return [
    ...(post['status'] === 'scheduled' ? [scheduledNote(timeOf(post['published_at']))] : []),
    ...(isLimited ? [`Only ${visibility} could read it. It is imported as private.`] : []),
    ...(post['status'] === 'sent'
      ? ['It was sent by e-mail and not published. It is imported as a draft.']
      : []),
    ...missing.map((path) => `The file ${path} was not given. Its link stays.`),
  ];
}

function titleOf(post: Row): string {
  const title = textIn(post, 'title');
  return title === '(Untitled)' ? '' : title;
}

function topicsOf(post: Row, { tags }: Site): readonly string[] {
  return tags.get(keyIn(post, 'id')) ?? [];
}

function metadataOf(post: Row, site: Site) {
  const id = keyIn(post, 'id');
  const single = site.users.get(keyIn(post, 'author_id')) ?? '';
  return filledMetadata({
    summary: textIn(post, 'custom_excerpt'),
    byline: site.authors.get(id)?.join(', ') ?? single,
    slug: textIn(post, 'slug'),
  });
}

function originOf(post: Row) {
  return filledMetadata({
    published_at: timeOf(post['published_at']),
    created_at: timeOf(post['created_at']),
    updated_at: timeOf(post['updated_at']),
  });
}

/** The files that a post uses, by address; and those that are not there. */
async function filesOf(post: Row, addresses: Iterable<string>, site: Site) {
  const media = new Map<string, SourceMedia>();
  const missing: string[] = [];
  const cover = textIn(post, 'feature_image');
  const alt = textIn(site.meta.get(keyIn(post, 'id')) ?? {}, 'feature_image_alt');
  const byPath = new Map<string, SourceMedia>();
  for (const address of new Set([...addresses, cover])) {
    const path = contentPath(site, address);
    if (path === undefined) continue;
    const found = byPath.get(path) ?? (await mediaAt(site, address, address === cover ? alt : ''));
    if (found === undefined) missing.push(path);
    else {
      media.set(address, found);
      byPath.set(path, found);
    }
  }
  return { media, missing, featured: media.get(cover) };
}

async function articleOf(post: Row, site: Site): Promise<SourceArticle> {
  const sourceText = textIn(post, 'html');
  if (post['html'] === null && (post['lexical'] ?? post['mobiledoc'] ?? null) !== null)
    throw refusal('Its HTML is not in the export. Save it once in Ghost, and export again.');
  const isLimited = isLimitedTo(textIn(post, 'visibility'));
  const { html, isCut } = isLimited ? { html: sourceText, isCut: false } : publicHtml(sourceText);
  const { addresses, plain } = await parse('readHtml', { html, short: [] }, site.parseMs);
  const { media, missing, featured } = await filesOf(post, addresses, site);
  const articles = articlesAt(addresses, (address) => postAt(site, address));
  return simpleArticle({
    key: { service: 'ghost', id: idOf(post) },
    title: titleOf(post),
    fallbackTitle: plain,
    isPublished: post['status'] === 'published',
    visibility: isLimited ? 'private' : 'public',
    language: textIn(post, 'locale') || site.language,
    canonicalUrl: textIn(post, 'canonical_url') || null,
    publishedAt: timeOf(post['published_at']),
    topics: topicsOf(post, site),
    metadata: metadataOf(post, site),
    origin: originOf(post),
    media: [...new Set(media.values())],
    featured,
    notes: [...(isCut ? [cutNote] : []), ...notesOf(post, missing)],
    sourceText,
    linksTo: linksToOf(articles),
    render: async (urlOf, addressOf) => {
      const given = { html, addresses: newAddresses({ media, articles }, urlOf, addressOf) };
      return parse('writeHtml', given, site.parseMs);
    },
  });
}

async function* articlesOf(
  site: Site,
  only?: ReadonlySet<string>,
): AsyncGenerator<SourceArticle | Unfit> {
  for (const post of site.posts) {
    const key = { service: 'ghost', id: idOf(post) };
    if (only?.has(key.id) === false) continue;
    const title = textIn(post, 'title') || '(no title)';
    try {
      yield await articleOf(post, site);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      yield { key, title, unfit: error.message };
    }
  }
}

/**
 * Opens a Ghost export. `folder` is Ghost's folder `content`, or a ZIP of it; nothing is fetched from the
 * site. The JSON is read as a whole.
 *
 * @throws a refusal for a file that is not one
 */
export async function openGhost(
  file: string,
  { folder, parseMs }: { readonly folder?: string | undefined } & ParseLimit = {},
): Promise<Source> {
  const { size } = await stat(file);
  if (size > fileMax) throw refusal(`${file} is larger than 256 MiB, which cannot be read.`);
  const tables = tablesOf(parseJson(await readFile(file, 'utf8'), file));
  const files = folder === undefined ? undefined : await openFiles(folder);
  const site = siteOf(tables, files, parseMs);
  const without = ['Members, newsletters, comments and settings are not imported.'];
  return {
    title: 'Ghost export',
    articleCount: site.posts.length,
    leftOut: without,
    articles: (only) => articlesOf(site, only),
    [Symbol.asyncDispose]: async () => files?.[Symbol.asyncDispose](),
  };
}
