// A WordPress export (WXR) as the source of an import.
import { parse } from '../parsing/parser.ts';
import { isRefusal, refusal } from '../source.ts';
import type { ParseLimit, Source, SourceArticle, SourceMedia, Unfit } from '../source.ts';
import { openFiles } from './media-files.ts';
import type { Files } from './media-files.ts';
import { articlesAt, linksToOf, newAddresses } from './html-links.ts';
import { filledMetadata, scheduledNote, simpleArticle } from './simple-article.ts';
import { articleAt, linkIndexOf } from './wordpress-links.ts';
import type { LinkIndex } from './wordpress-links.ts';
import { plainHtml } from './wordpress-html.ts';
import { hostOf, originalPaths, uploadPath } from './wordpress-uploads.ts';
import { readItems } from './wxr-items.ts';
import type { WxrHead, WxrItem } from './wxr-items.ts';

interface Upload {
  readonly url: string;
  readonly alt: string;
  readonly media: SourceMedia | undefined;
}

interface Site {
  readonly file: string;
  readonly service: string;
  readonly language: string | undefined;
  readonly authors: Readonly<Record<string, string>>;
  /** By the id of the attachment. */
  readonly uploads: ReadonlyMap<string, Upload>;
  /** Hosts at which the site has its files; empty if the export names none. */
  readonly hosts: ReadonlySet<string>;
  /** By the path of the address. */
  readonly byPath: ReadonlyMap<string, Upload>;
  readonly linkIndex: LinkIndex;
  readonly articleCount: number;
  readonly leftOut: readonly string[];
  readonly parseMs: number | undefined;
}

const isArticle = (type: string) => type === 'post' || type === 'page';
/** Parts of the site that are not texts of their own. */
const silent = new Set(['attachment', 'revision']);

async function uploadOf(item: WxrItem, files: Files | undefined): Promise<Upload> {
  const { members, meta } = item;
  const alt = meta['_wp_attachment_image_alt'] ?? '';
  const path = meta['_wp_attached_file'] ?? '';
  const media = path === '' ? undefined : await files?.find(path, alt || null);
  return { url: members['wp:attachment_url'] ?? '', alt, media };
}

function sentencesOf(counts: ReadonlyMap<string, number>, comments: number, missing: number) {
  const types = [...counts].filter(([type]) => !isArticle(type) && !silent.has(type));
  return [
    ...(comments === 0 ? [] : [`Comments (${comments}) are not imported.`]),
    ...types.map(([type, count]) => `Items of type ${type} (${count}) are not imported.`),
    ...(missing === 0
      ? []
      : [
          `The files of ${missing} attachments were not given: their links stay. Give the folder wp-content/uploads as the folder of files.`,
        ]),
  ];
}

/** Returns a member of an item, or an empty text. */
function textIn({ members }: Pick<WxrItem, 'members'>, name: string): string {
  return members[name] ?? '';
}

interface Contents {
  readonly uploads: Map<string, Upload>;
  readonly counts: Map<string, number>;
  readonly articles: { readonly id: string; readonly link: string; readonly guid: string }[];
  comments: number;
}

async function addItem(contents: Contents, item: WxrItem, files: Files | undefined): Promise<void> {
  const type = textIn(item, 'wp:post_type');
  const { uploads, counts } = contents;
  counts.set(type, (counts.get(type) ?? 0) + 1);
  contents.comments += item.comments;
  if (isArticle(type)) {
    const id = textIn(item, 'wp:post_id');
    contents.articles.push({ id, link: textIn(item, 'link'), guid: textIn(item, 'guid') });
  }
  if (type === 'attachment') uploads.set(textIn(item, 'wp:post_id'), await uploadOf(item, files));
}

function siteOf(file: string, { members, authors }: WxrHead, contents: Contents) {
  const { uploads, counts, comments } = contents;
  const service = members['wp:base_blog_url'] ?? members['link'] ?? '';
  if (service === '') throw refusal('The WordPress export does not name its site.');
  const named = [members['wp:base_site_url'], members['wp:base_blog_url'], members['link']];
  const addresses = [...named, ...[...uploads.values()].map(({ url }) => url)];
  const missing = [...uploads.values()].filter(({ media }) => media === undefined).length;
  return {
    file,
    service: service.replace(/\/$/, ''),
    language: members['language'],
    authors,
    uploads,
    hosts: new Set(addresses.flatMap((address) => hostOf(address ?? '') ?? [])),
    byPath: new Map([...uploads.values()].map((upload) => [uploadPath(upload.url), upload])),
    linkIndex: linkIndexOf(service, contents.articles),
    articleCount: (counts.get('post') ?? 0) + (counts.get('page') ?? 0),
    leftOut: sentencesOf(counts, comments, missing),
  };
}

/** Reads the whole file once: attachments, authors, and whether it is well-formed. */
async function readSite(file: string, files: Files | undefined) {
  const contents: Contents = { uploads: new Map(), counts: new Map(), articles: [], comments: 0 };
  let head: WxrHead = { members: {}, authors: {} };
  for await (const item of readItems(file, (found) => (head = found)))
    await addItem(contents, item, files);
  return siteOf(file, head, contents);
}

/** Times of WordPress are UTC without a mark; a draft has a time of zeros. */
function timeOf(text: string | undefined): string | undefined {
  const time = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(text ?? '');
  if (time === null || time[1] === '0000-00-00') return undefined;
  const iso = `${time[1]}T${time[2]}.000Z`;
  return Number.isNaN(Date.parse(iso)) ? undefined : iso;
}

const publishedStatuses = new Set(['publish', 'private']);

function notesOf(item: WxrItem, others: readonly string[]): readonly string[] {
  const time = timeOf(textIn(item, 'wp:post_date_gmt'));
  return [
    ...(textIn(item, 'wp:status') === 'future' ? [scheduledNote(time)] : []),
    ...(textIn(item, 'wp:post_password') === ''
      ? []
      : ['It was protected by a password, and is imported as private.']),
    ...(others.length === 0 ? [] : [`Shortcodes of plug-ins stay as text: ${others.join(', ')}.`]),
  ];
}

/** Names and titles are HTML: the title, the excerpt, and the topics of an item. */
function shortTexts(item: WxrItem): readonly [string, string, ...string[]] {
  const names = (domain: string) =>
    item.categories.filter((each) => each.domain === domain).map(({ name }) => name);
  const topics = [...names('post_tag'), ...names('category')];
  return [textIn(item, 'title'), textIn(item, 'excerpt:encoded'), ...topics];
}

function metadataOf({ members }: WxrItem, { authors }: Site, short: readonly string[]) {
  const [, summary] = short;
  const login = members['dc:creator'] ?? '';
  return filledMetadata({
    summary,
    byline: authors[login] ?? login,
    slug: members['wp:post_name'],
  });
}

/** Posts that other programs wrote into WordPress may have the time of their site alone, whose zone no export names. */
function publishedTimeOf(item: WxrItem, isPublished: boolean): string | undefined {
  const time = timeOf(textIn(item, 'wp:post_date_gmt'));
  return time ?? (isPublished ? timeOf(textIn(item, 'wp:post_date')) : undefined);
}

/** Where an article is shown, and since when. */
function publicationOf(item: WxrItem) {
  const status = textIn(item, 'wp:status');
  const isPublished = publishedStatuses.has(status);
  const isHidden = status === 'private' || textIn(item, 'wp:post_password') !== '';
  const time = publishedTimeOf(item, isPublished);
  return {
    isPublished,
    visibility: isHidden ? 'private' : 'public',
    publishedAt: time,
    origin: filledMetadata({
      url: textIn(item, 'link'),
      published_at: isPublished ? time : undefined,
      updated_at: timeOf(textIn(item, 'wp:post_modified_gmt')),
    }),
  } as const;
}

/** Returns the file at an address of the site. A file of another site may have the same path. */
function mediaAt({ byPath, hosts }: Site, address: string): SourceMedia | undefined {
  const host = hostOf(address);
  if (host !== undefined && hosts.size > 0 && !hosts.has(host)) return undefined;
  return originalPaths(address)
    .map((path) => byPath.get(path))
    .find((upload) => upload !== undefined)?.media;
}

async function articleOf(item: WxrItem, site: Site): Promise<SourceArticle> {
  const content = textIn(item, 'content:encoded');
  const { html, shortcodes } = plainHtml(content, (id) => site.uploads.get(id));
  const read = { html, short: shortTexts(item) };
  const { addresses, plain, short } = await parse('readHtml', read, site.parseMs);
  const media = new Map(
    addresses.flatMap((address) => {
      const found = mediaAt(site, address);
      return found === undefined ? [] : [[address, found] as const];
    }),
  );
  const articles = articlesAt(addresses, (address) =>
    articleAt(site.service, site.linkIndex, address),
  );
  return simpleArticle({
    ...publicationOf(item),
    key: { service: site.service, id: textIn(item, 'wp:post_id') },
    title: short[0] ?? '',
    fallbackTitle: plain,
    language: site.language,
    topics: short.slice(2).filter((name) => name !== 'Uncategorized'),
    metadata: metadataOf(item, site, short),
    media: [...new Set(media.values())],
    featured: site.uploads.get(item.meta['_thumbnail_id'] ?? '')?.media,
    notes: notesOf(item, shortcodes),
    sourceText: content,
    linksTo: linksToOf(articles),
    render: async (urlOf, addressOf) => {
      const given = { html, addresses: newAddresses({ media, articles }, urlOf, addressOf) };
      return parse('writeHtml', given, site.parseMs);
    },
  });
}

const deleted = new Set(['trash', 'auto-draft']);

async function readItem(item: WxrItem, site: Site): Promise<SourceArticle | Unfit> {
  const key = { service: site.service, id: textIn(item, 'wp:post_id') };
  const status = textIn(item, 'wp:status');
  let title = textIn(item, 'title') || '(no title)';
  try {
    if (!deleted.has(status)) return await articleOf(item, site);
    const { short } = await parse('readHtml', { html: '', short: [title] }, site.parseMs);
    title = short[0] || title;
    return { key, title, unfit: `Its status at WordPress is ${status}.` };
  } catch (error) {
    if (isRefusal(error)) return { key, title, unfit: error.message };
    throw error;
  }
}

async function* articlesOf(
  site: Site,
  only?: ReadonlySet<string>,
): AsyncGenerator<SourceArticle | Unfit> {
  for await (const item of readItems(site.file)) {
    const isAsked = only?.has(textIn(item, 'wp:post_id')) !== false;
    if (isAsked && isArticle(textIn(item, 'wp:post_type'))) yield await readItem(item, site);
  }
}

/**
 * Opens a WordPress export. `folder` is wp-content/uploads, or a ZIP of it; nothing is fetched from the site.
 *
 * @throws a refusal for a file that is not one
 */
export async function openWordpress(
  file: string,
  { folder, parseMs }: { readonly folder?: string | undefined } & ParseLimit = {},
): Promise<Source> {
  const files = folder === undefined ? undefined : await openFiles(folder);
  const site = { ...(await readSite(file, files)), parseMs };
  return {
    title: `WordPress export of ${site.service}`,
    articleCount: site.articleCount,
    leftOut: site.leftOut,
    articles: (only) => articlesOf(site, only),
    [Symbol.asyncDispose]: async () => files?.[Symbol.asyncDispose](),
  };
}
