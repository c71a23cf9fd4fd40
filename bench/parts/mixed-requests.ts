// Requests of every kind at a fixed rate, whatever the answers take: reads mostly, and all that authors do.
import { setTimeout as wait } from 'node:timers/promises';
import type { Registered } from './author.ts';
import { markdownOf } from './author.ts';

export interface MixedCounts {
  /** Answers by status; 0: no answer came. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What answered with 5xx or not at all: method, path and answer, the first twenty. */
  readonly failures: readonly string[];
  readonly requests: number;
  /** Turns that were left out because too many had not ended. */
  readonly skipped: number;
  /** Milliseconds of each answer in the order of the answers, of GET and of the others. */
  readonly readMs: readonly number[];
  readonly writeMs: readonly number[];
}

interface Mixed extends MixedCounts {
  /** Sends no more, and waits until everything is answered. */
  stop(): Promise<void>;
}

interface Load {
  readonly url: string;
  readonly authors: readonly Registered[];
  readonly perSecond: number;
  /** The rate rises for so long: a process that has just started compiles what it runs and would queue the rest. */
  readonly risesForMs?: number;
  readonly random: () => number;
}

type Send = (
  method: string,
  path: string,
  author?: Registered,
  body?: unknown,
) => Promise<Readonly<Record<string, string>>>;

interface Content {
  readonly articles: { readonly id: string; readonly page: string; readonly author: Registered }[];
}

const answerMs = 30_000;
const runningMax = 200;
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

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** Participants have an address each, and other readers one of two hundred. */
function addressOf(author: Registered | undefined, random: () => number): string {
  const last = author === undefined ? Math.floor(random() * 200) : author.id.charCodeAt(25);
  const third = author === undefined ? 1 : author.id.charCodeAt(24);
  return `10.0.${third}.${last}`;
}

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
function turn({ authors, random }: Load, send: Send, content: Content): Promise<unknown> {
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

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends one request; status 0 stands for no answer. */
async function exchange(
  { url, random }: Load,
  target: { readonly method: string; readonly path: string },
  { author, body }: { readonly author: Registered | undefined; readonly body: unknown },
): Promise<Answer> {
  const isBytes = body instanceof Buffer;
  const headers = new Headers({
    // Work of one address waits for its turn, so that readers of many do not wait for a reader of much.
    'x-forwarded-for': addressOf(author, random),
    'idempotency-key': crypto.randomUUID(),
  });
  if (author !== undefined) headers.set('authorization', `Bearer ${author.token}`);
  if (body !== undefined)
    headers.set('content-type', isBytes ? 'application/octet-stream' : 'application/json');
  const sent = isBytes ? new Uint8Array(body) : (JSON.stringify(body) as string | undefined);
  return fetch(url + target.path, {
    method: target.method,
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMs),
    headers,
    body: sent ?? null,
  })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: Error) => ({ status: 0, text: error.message }));
}

/** When a request is due, in milliseconds since the start. */
function dueMs({ perSecond, risesForMs: rise = 0 }: Load, sent: number): number {
  const full = (sent * 1_000) / perSecond + rise / 2;
  // Until then the rate has grown in proportion to the time.
  return full < rise ? Math.sqrt((sent * 2_000 * rise) / perSecond) : full;
}

/** Starts the load. A request is sent at its time even if those before it have not been answered. */
export function startMixedRequests(load: Load): Mixed {
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  const [readMs, writeMs]: [number[], number[]] = [[], []];
  const running = new Set<Promise<unknown>>();
  const content: Content = { articles: [] };
  let requests = 0;
  let skipped = 0;
  let stopped = false;

  const send: Send = async (method, path, author, body) => {
    requests += 1;
    const since = performance.now();
    const { status, text } = await exchange(load, { method, path }, { author, body });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const isFailure = status === 0 || status >= 500;
    if (isFailure && failures.length < 20)
      failures.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    const times = method === 'GET' ? readMs : writeMs;
    if (!path.includes('wait=')) times.push(performance.now() - since);
    const isRecord = status < 300 && text.startsWith('{');
    return isRecord ? (JSON.parse(text) as Record<string, string>) : {};
  };

  async function go(): Promise<void> {
    const since = performance.now();
    for (let sent = 0; !stopped; sent += 1) {
      const early = since + dueMs(load, sent) - performance.now();
      if (early > 0) await wait(early);
      // A generator that cannot keep up must not answer with a burst: it would measure itself.
      if (running.size >= runningMax) {
        skipped += 1;
        await wait(1);
        continue;
      }
      const one = turn(load, send, content).finally(() => running.delete(one));
      running.add(one);
    }
  }

  const going = go();
  return {
    statuses,
    failures,
    readMs,
    writeMs,
    get requests() {
      return requests;
    },
    get skipped() {
      return skipped;
    },
    stop: async () => {
      stopped = true;
      await going;
      await Promise.allSettled(running);
    },
  };
}
