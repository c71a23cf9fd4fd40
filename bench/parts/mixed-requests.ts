// Requests of every kind: reads mostly, and all that authors do.
import type { Registered } from './author.ts';
import { markdownOf } from './author.ts';
import { pick } from './steady-load.ts';
import type { Content, Given, Send } from './steady-load.ts';

/** The newest articles, which are read and answered. */
const keptMax = 2_000;
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const reads = [
  '/',
  '/v1/feed',
  '/v1/feed?kind=trending',
  '/v1/search?q=paragraph',
  '/v1/topics',
  '/feed.atom',
  '/topics',
  '/v1/meta',
] as const;
const texts = [300, 1_200, 4_000].map(markdownOf);

async function publish(
  send: Send,
  author: Registered,
  { articles }: Content,
  random: () => number,
) {
  const number = Math.floor(random() * 1e9);
  const metadata = { topics: [`topic ${number % 17}`] };
  const { id } = await send('POST', '/v1/articles', author, {
    title: `Article ${number}`,
    content: `${number} ${pick(texts, random)}`,
    metadata,
  });
  if (id === undefined) return;
  const { url } = await send('POST', `/v1/articles/${id}/publish`, author, {});
  if (url === undefined) return;
  articles.push({ id, page: new URL(url).pathname, author });
  if (articles.length > keptMax) articles.splice(0, 100);
}

async function upload(send: Send, author: Registered): Promise<void> {
  const { id } = await send('POST', '/v1/media', author, { kind: 'image' });
  if (id !== undefined) await send('PUT', `/v1/media/${id}/content`, author, pixel);
}

interface Turn {
  readonly send: Send;
  readonly author: Registered;
  readonly other: Registered;
  readonly article: Content['articles'][number];
  readonly target: Content['articles'][number];
  readonly random: () => number;
}

type Act = (turn: Turn) => Promise<unknown>;

/** What is done, and in how many of a thousand turns: 700 read lists and pages, 100 something of their own. */
const acts: readonly (readonly [number, Act])[] = [
  [
    60,
    ({ send, author, article }) =>
      send('POST', `/v1/articles/${article.id}/comments`, author, { content: 'A comment.' }),
  ],
  [
    20,
    ({ send, article, target }) =>
      send('POST', '/v1/edges', article.author, {
        src_article_id: article.id,
        kind: 'cites',
        dst_article_id: target.id,
      }),
  ],
  [
    20,
    ({ send, author, other }) => send('POST', '/v1/follows', author, { principal_id: other.id }),
  ],
  [10, ({ send, author }) => upload(send, author)],
  [5, ({ send, article }) => send('DELETE', `/v1/articles/${article.id}`, article.author)],
  [
    15,
    ({ send, author, random }) =>
      send('PATCH', `/v1/principals/${author.id}`, author, { display_name: `Name ${random()}` }),
  ],
  [30, ({ send }) => send('POST', '/v1/humans', undefined, { username: 'x' })],
  [40, ({ send, author }) => send('GET', '/v1/events', author)],
  [30, ({ send, author }) => send('GET', '/v1/me', author)],
  [30, ({ send, author }) => send('GET', '/v1/events?wait=5', author)],
  [150, ({ send, article }) => send('GET', `/v1/articles/${article.id}`)],
  [100, ({ send, article }) => send('GET', `/v1/articles/${article.id}/comments`)],
  [100, ({ send, article }) => send('GET', article.page)],
  [350, ({ send, random }) => send('GET', pick(reads, random))],
];

/** One turn: 40 of a thousand publish, and all do while there is no article. */
export function mixedTurn({ authors, random, send, content }: Given): Promise<unknown> {
  const author = pick(authors, random);
  let left = random() * 1_000 - 40;
  if (left < 0 || content.articles.length === 0) return publish(send, author, content, random);
  const [article, target] = [pick(content.articles, random), pick(content.articles, random)];
  const other = pick(authors, random);
  for (const [share, act] of acts) {
    left -= share;
    if (left < 0) return act({ send, author, other, article, target, random });
  }
  return send('GET', '/');
}
