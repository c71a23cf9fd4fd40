// The requests of the stall benchmark: reads and writes whose cost could grow with participants' text.
import { markdownOf, post, registerAuthor } from './author.ts';
import type { Registered } from './author.ts';
import {
  hostileBodies,
  hostileMetadata,
  hostileNames,
  hostileReads,
  hostileTitles,
  revisedText,
  searchedTexts,
} from './hostile-reads.ts';

/** The maximum milliseconds for which a request may block others: for texts, and for bodies of 8 MB. */
export const goals = { texts: 50, bodies: 100 } as const;

export interface Case {
  readonly request: string;
  readonly text: string;
  readonly goal: number;
  /** How often it is sent; the median is the figure. */
  readonly times: number;
  /** Returns the status. */
  readonly send: () => Promise<number>;
}

export async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  const headers = { connection: 'close', ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(url, { ...init, headers });
  await response.arrayBuffer();
  return response.status;
}

function bearer({ token }: Registered): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function jsonOf(author: Registered): Record<string, string> {
  const key = { 'idempotency-key': crypto.randomUUID() };
  return { ...bearer(author), ...key, 'content-type': 'application/json' };
}

type Reads = Readonly<Record<string, string>>;

/** Reads of an article and of the pages that show only this article. */
function readsOf(baseUrl: string, author: Registered, article: Record<string, string>): Reads {
  const { id = '', url = '', revision_id: revision = '' } = article;
  const api = `${baseUrl}/v1/articles/${id}`;
  const page = `${baseUrl}/@${author.username}/${url.split('/').at(-1) ?? ''}`;
  const address = encodeURIComponent(url);
  return {
    'GET article': api,
    'GET article, spotlight': `${api}?view=spotlight`,
    'GET revision': `${api}/revisions/${revision}`,
    'GET revisions': `${api}/revisions`,
    'GET proof': `${api}/revisions/${revision}/proof`,
    'GET diff': `${api}/diff`,
    'GET page': page,
    'GET page as Markdown': `${page}.md`,
    'GET oEmbed': `${baseUrl}/oembed?url=${address}`,
    'GET comments': `${api}/comments?limit=100`,
    'GET comments, spotlight': `${api}/comments?limit=100&view=spotlight`,
    'GET comments.atom': `${page}/comments.atom`,
    'GET edges': `${api}/edges?limit=100`,
    'GET graph': `${api}/graph?depth=3`,
  };
}

/** Lists, feeds and searches that show many articles, comments or participants. */
function listsOf(baseUrl: string, author: Registered): Reads {
  const own = `${baseUrl}/@${author.username}`;
  const searches = ['needle', 'nee', '漢漢', 'a', 'needle haystack straw hay "needle in a"'];
  const types = ['article', 'comment', 'principal'];
  const found = searches.flatMap((query) =>
    types.map((type) => {
      const url = `${baseUrl}/v1/search?limit=100&type=${type}&q=${encodeURIComponent(query)}`;
      return [`GET search of 100, ${type}s`, query, url] as const;
    }),
  );
  return {
    'GET front page': `${baseUrl}/`,
    'GET profile': own,
    'GET topics page': `${baseUrl}/topics`,
    'GET topic page': `${baseUrl}/topics/needles`,
    'GET search page': `${baseUrl}/search?q=needle`,
    'GET feed.atom': `${own}/feed.atom`,
    'GET feed.rss': `${own}/feed.rss`,
    'GET feed.json': `${own}/feed.json`,
    'GET feed.atom of all': `${baseUrl}/feed.atom`,
    'GET list of 100': `${baseUrl}/v1/articles?limit=100&author=${author.id}`,
    'GET feed, latest': `${baseUrl}/v1/feed?limit=100`,
    'GET feed, trending': `${baseUrl}/v1/feed?limit=100&kind=trending`,
    'GET home': `${baseUrl}/v1/home`,
    'GET sitemap': `${baseUrl}/sitemap.xml`,
    'GET own comments': `${baseUrl}/v1/comments?limit=100`,
    'GET followers': `${baseUrl}/v1/principals/${author.id}/followers?limit=100`,
    'GET events': `${baseUrl}/v1/events?limit=100`,
    ...Object.fromEntries(
      found.map(([name, query, url]) => [`${name}: ${query.slice(0, 8)}`, url]),
    ),
  };
}

/** Yields cases for an anonymous reader, and for operations also for the author. */
function* casesOf(reads: Reads, author: Registered, text: string, times: number): Generator<Case> {
  const headers = bearer(author);
  for (const [request, url] of Object.entries(reads)) {
    const shared = { text, goal: goals.texts, times };
    yield { ...shared, request, send: () => statusOf(url) };
    if (!url.includes('/v1/')) continue;
    const send = () => statusOf(url, { headers });
    yield { ...shared, request: `${request}, with a token`, send };
  }
}

interface Written {
  readonly title: string;
  readonly content: string;
  readonly metadata?: unknown;
}

/** Publishes an article, with a second revision and comments. */
async function publish(
  baseUrl: string,
  author: Registered,
  { title, content, metadata = { topics: ['needles'] } }: Written,
  comments: number,
) {
  const made = await post(`${baseUrl}/v1/articles`, { title, content, metadata }, author.token);
  const path = `${baseUrl}/v1/articles/${made['id']}`;
  await post(`${path}/publish`, {}, author.token);
  const comment = { content: content.slice(0, 8_000) };
  for (let n = 0; n < comments; n += 1) await post(`${path}/comments`, comment, author.token);
  return made;
}

async function revise(
  baseUrl: string,
  author: Registered,
  article: Record<string, string>,
  content: string,
) {
  const path = `${baseUrl}/v1/articles/${article['id']}`;
  const headers = { ...jsonOf(author), 'if-match': `"${article['revision_id']}"` };
  const body = JSON.stringify({ content });
  const status = await statusOf(`${path}/revisions`, { method: 'POST', headers, body });
  await post(`${path}/publish`, {}, author.token);
  return status;
}

/** The first requests for an ordinary article, which load modules and compile schemas. */
export async function* firstCases(baseUrl: string): AsyncGenerator<Case> {
  const author = await registerAuthor(baseUrl);
  const article = await publish(
    baseUrl,
    author,
    { title: 'needle', content: markdownOf(4_000) },
    1,
  );
  const reads = { ...readsOf(baseUrl, author, article), ...listsOf(baseUrl, author) };
  for (const one of casesOf(reads, author, 'an ordinary one', 1))
    yield { ...one, request: `first ${one.request}` };
}

/** Each hostile text alone. */
export async function* textCases(baseUrl: string): AsyncGenerator<Case> {
  for (const [text, content] of Object.entries(hostileReads)) {
    const author = await registerAuthor(baseUrl);
    const path = `${baseUrl}/v1/articles`;
    const body = JSON.stringify({ title: text, content });
    const goal = goals.texts;
    const send = () => statusOf(path, { method: 'POST', headers: jsonOf(author), body });
    yield { request: 'POST article', text, goal, times: 3, send };
    const article = await publish(baseUrl, author, { title: 'needle', content }, 5);
    const again = () => revise(baseUrl, author, article, revisedText(text, content));
    yield { request: 'POST revision', text, goal, times: 1, send: again };
    const details = JSON.stringify({ language: 'en' });
    const url = `${path}/${article['id']}`;
    const change = () => statusOf(url, { method: 'PATCH', headers: jsonOf(author), body: details });
    yield { request: 'PATCH article', text, goal, times: 3, send: change };
    const reads = readsOf(baseUrl, author, article);
    const rendered = () => statusOf(reads['GET page'] ?? '');
    yield { request: 'GET page, rendered first', text, goal, times: 1, send: rendered };
    yield* casesOf(reads, author, text, 3);
  }
}

/** Resolves when the pipeline has nothing left to do. */
async function idle(baseUrl: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${baseUrl}/readyz`, { headers: { connection: 'close' } });
    const { waiting } = ((await response.json()) as { pipeline?: { waiting?: number } })
      .pipeline ?? { waiting: 0 };
    if (waiting === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * One hundred hostile articles that are in lists, feeds and search results together, each field at its limit,
 * on the profile of a principal with a hundred followers, and a hundred of the longest comments.
 */
export async function* hundredCases(baseUrl: string): AsyncGenerator<Case> {
  const author = await registerAuthor(baseUrl);
  const display_name = hostileNames[0] ?? '';
  await patch(`${baseUrl}/v1/principals/${author.id}`, author, {
    display_name,
    bio: searchedTexts[0]?.slice(0, 2_000),
  });
  const texts = [...Object.values(hostileReads), ...searchedTexts, ...searchedTexts];
  let article: Record<string, string> = {};
  for (let n = 0; n < 100; n += 1) {
    const content = texts[n % texts.length] ?? '';
    const title = hostileTitles[n % hostileTitles.length] ?? '';
    const metadata = hostileMetadata[n % hostileMetadata.length];
    article = await publish(baseUrl, author, { title, content, metadata }, 0);
    process.stderr.write('+');
  }
  await followers(baseUrl, author, article);
  await idle(baseUrl);
  const reads = { ...readsOf(baseUrl, author, article), ...listsOf(baseUrl, author) };
  yield* casesOf(reads, author, 'a hundred, all at their limits', 3);
}

async function patch(url: string, author: Registered, body: unknown): Promise<void> {
  const init = { method: 'PATCH', headers: jsonOf(author), body: JSON.stringify(body) };
  const status = await statusOf(url, init);
  if (status !== 200) throw new Error(`PATCH ${url} answered ${status}.`);
}

/**
 * Registers a hundred followers of the author, each with the longest profile and one of the longest comments.
 */
async function followers(
  baseUrl: string,
  author: Registered,
  article: Record<string, string>,
): Promise<void> {
  for (let n = 0; n < 100; n += 1) {
    const follower = await registerAuthor(baseUrl);
    const display_name = hostileNames[n % hostileNames.length] ?? '';
    const text = searchedTexts[n % searchedTexts.length] ?? '';
    const url = `${baseUrl}/v1/principals/${follower.id}`;
    await patch(url, follower, { display_name, bio: text.slice(0, 2_000) });
    await post(`${baseUrl}/v1/follows`, { principal_id: author.id }, follower.token);
    const path = `${baseUrl}/v1/articles/${article['id']}/comments`;
    await post(path, { content: text.slice(0, 8_192) }, follower.token);
    await post(path, { content: text.slice(0, 8_192) }, author.token);
  }
}

/** The hostile texts with HTML as it is, and with characters that XML, HTML and JSON escape. */
const inFeeds = [
  'words',
  'characters that JSON escapes',
  'characters that HTML escapes',
  'headings',
] as const;

/** Thirty texts that fill a feed to its limit. */
export async function* feedCases(baseUrl: string): AsyncGenerator<Case> {
  for (const text of inFeeds) {
    const content = hostileReads[text] ?? '';
    const author = await registerAuthor(baseUrl);
    for (let n = 0; n < 30; n += 1)
      await publish(baseUrl, author, { title: 'needle', content: content.slice(0, 6_500) }, 0);
    await idle(baseUrl);
    const feeds = ['atom', 'rss', 'json'].map((format) => [
      `GET feed.${format}`,
      `${baseUrl}/@${author.username}/feed.${format}`,
    ]);
    yield* casesOf(Object.fromEntries(feeds) as Reads, author, `thirty: ${text}`, 3);
  }
}

export async function* bodyCases(baseUrl: string): AsyncGenerator<Case> {
  const author = await registerAuthor(baseUrl);
  for (const [text, body] of Object.entries(hostileBodies)) {
    const send = () =>
      statusOf(`${baseUrl}/v1/articles`, { method: 'POST', headers: jsonOf(author), body });
    yield { request: 'POST article of 8 MB', text, goal: goals.bodies, times: 3, send };
  }
}
