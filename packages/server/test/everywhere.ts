// Every surface that shows a public article, and a check whether it is there.

/** A published article, whose topic and word no other one has. */
export interface Published {
  readonly baseUrl: string;
  readonly id: string;
  readonly url: string;
  /** Username. */
  readonly author: string;
  /** Slug. */
  readonly topic: string;
  /** Occurs in its text. */
  readonly word: string;
}

type Look = (article: Published) => Promise<boolean>;

/** Nothing is there, or not yet. */
const absent = [404, 410, 503];

/** undefined: there is nothing. */
async function fetchBytes(url: string): Promise<Buffer | undefined> {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status === 200) return bytes;
  if (absent.includes(response.status)) return undefined;
  throw new Error(`GET ${url} answered ${response.status}: ${bytes.toString()}`);
}

async function textAt(url: string): Promise<string> {
  return (await fetchBytes(url))?.toString() ?? '';
}

/** Its id occurs in every address of it. */
const named =
  (path: (article: Published) => string): Look =>
  async (article) =>
    (await textAt(article.baseUrl + path(article))).includes(article.id);

async function isCounted({ baseUrl, topic }: Published): Promise<boolean> {
  const text = await textAt(`${baseUrl}/v1/topics/${topic}`);
  return text !== '' && (JSON.parse(text) as { article_count: number }).article_count === 1;
}

const addresses = (text: string) =>
  Array.from(text.matchAll(/<loc>([^<]+)<\/loc>/g), ([, url = '']) => url);

async function isInSitemap({ baseUrl, url }: Published): Promise<boolean> {
  const files = addresses(await textAt(`${baseUrl}/sitemap.xml`));
  const told = await Promise.all(files.map(async (file) => addresses(await textAt(file))));
  return told.flat().includes(url);
}

/** What its page says that networks show beside a link to it; undefined: there is no page. */
export async function imageAddress({ url }: Published): Promise<string | undefined> {
  return /<meta property="og:image" content="([^"]+)"/.exec(await textAt(url))?.[1];
}

/** The bytes of the image; undefined: there is none. */
export async function shareImage(article: Published): Promise<Buffer | undefined> {
  const address = await imageAddress(article);
  return address === undefined ? undefined : fetchBytes(address);
}

async function isProcessed({ baseUrl, id }: Published): Promise<boolean> {
  const text = await textAt(`${baseUrl}/v1/articles/${id}/processing`);
  if (text === '') return false;
  const steps = JSON.parse(text) as Record<'search_indexed' | 'sitemap' | 'og_image', unknown>;
  return steps.search_indexed === true && steps.sitemap === 'done' && steps.og_image === 'done';
}

const feeds = {
  everybody: () => '/',
  'its author': ({ author }: Published) => `/@${author}/`,
  'its topic': ({ topic }: Published) => `/topics/${topic}/`,
};

const feedLooks = Object.entries(feeds).flatMap(([whose, below]) =>
  ['atom', 'rss', 'json'].map((format): [string, Look] => [
    `feed.${format} of ${whose}`,
    named((article) => `${below(article)}feed.${format}`),
  ]),
);

/** Whether the article is there, by the name of the place. */
export const everySurface: Readonly<Record<string, Look>> = {
  search: named(({ word }) => `/v1/search?q=${word}`),
  'the page of search': named(({ word }) => `/search?q=${word}`),
  'the latest in the feed': named(() => '/v1/feed'),
  'its topic in the feed': named(({ topic }) => `/v1/feed?topic=${topic}`),
  'the list of its topic': named(({ topic }) => `/v1/articles?topic=${topic}`),
  'the count of its topic': isCounted,
  'the page of its topic': named(({ topic }) => `/topics/${topic}`),
  'the sitemap': isInSitemap,
  'its share image': async (article) => (await shareImage(article)) !== undefined,
  ...Object.fromEntries(feedLooks),
  'processing, all done': isProcessed,
};
