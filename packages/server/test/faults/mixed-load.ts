// Clients that read and write everything there is, and go on through every fault; each answer is counted.
import { setTimeout as wait } from 'node:timers/promises';

/** Disposing of it stops it too, so that a check that fails leaves no load behind. */
export interface MixedLoad extends AsyncDisposable {
  /** Answers by status; `none`: no answer came. */
  readonly statuses: ReadonlyMap<number | 'none', number>;
  /** What answered with 500, by method and path. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number | 'none';
  readonly body: Readonly<Record<string, unknown>>;
}

type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

const answerMs = 30_000;
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function bodyOf(body: unknown): Pick<RequestInit, 'body' | 'headers'> {
  if (body === undefined) return {};
  if (body instanceof Buffer)
    return { body: new Uint8Array(body), headers: { 'content-type': 'application/octet-stream' } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

function parseBody(text: string): Answer['body'] {
  return text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {};
}

const reads = [
  '/',
  '/feed.atom',
  '/sitemap.xml',
  '/topics',
  '/readyz',
  '/v1/feed',
  '/v1/feed?kind=trending',
  '/v1/search?q=text',
  '/v1/topics',
] as const;

/** One author's turn: an article with all that can happen to it. */
async function turn(ask: Ask, number: number, others: string[]): Promise<void> {
  const text = { title: `Title ${number}`, content: 'Some *text*. '.repeat(20) };
  const metadata = { topics: [`topic ${number % 7}`] };
  const made = await ask('POST', '/v1/articles', { ...text, metadata });
  const id = made.body['id'];
  if (typeof id !== 'string') return wait(50);
  await ask('POST', `/v1/articles/${id}/publish`, {});
  others.push(id);
  const other = others[number % others.length] ?? id;
  await ask('POST', `/v1/articles/${other}/comments`, { content: 'A comment.' });
  await ask('POST', '/v1/edges', { src_article_id: id, kind: 'cites', dst_article_id: other });
  await ask('GET', `/v1/articles/${other}`);
  await ask('GET', `/v1/articles/${other}/graph`);
  await ask('GET', '/v1/events?wait=1');
  const media = await ask('POST', '/v1/media', { kind: 'image' });
  await ask('PUT', `/v1/media/${String(media.body['id'])}/content`, pixel);
  await ask('GET', reads[number % reads.length] ?? '/');
  if (number % 2 === 0) await ask('POST', `/v1/articles/${id}/erase`, { confirm: 'erase' });
  else if (number % 3 === 0) await ask('DELETE', `/v1/articles/${id}`);
}

/** Starts so many clients; each registers a person, and every 10th turn of one closes its account. */
export function startMixedLoad(baseUrl: string, clients: number): MixedLoad {
  const statuses = new Map<number | 'none', number>();
  const failures: string[] = [];
  const others: string[] = [];
  let stopped = false;
  let people = 0;

  async function send(token: string | undefined, ...[method, path, body]: Parameters<Ask>) {
    const { headers = {}, ...rest } = bodyOf(body);
    const own = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer: Answer = await fetch(baseUrl + path, {
      method,
      headers: { ...headers, ...own, 'idempotency-key': crypto.randomUUID() },
      signal: AbortSignal.timeout(answerMs),
      ...rest,
    })
      .then(async (response) => ({
        status: response.status,
        body: parseBody(await response.text()),
      }))
      .catch(() => ({ status: 'none' as const, body: {} }));
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 500) failures.push(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async function life(): Promise<void> {
    const username = `load-${(people += 1)}-${crypto.randomUUID().slice(0, 6).replaceAll(/[01]/g, 'x')}z`;
    const { body } = await send(undefined, 'POST', '/v1/humans', { username });
    if (typeof body['token'] !== 'string') return wait(100);
    const token = body['token'];
    const ask: Ask = (...asked) => send(token, ...asked);
    for (let number = 1; !stopped && number <= 10; number += 1) await turn(ask, number, others);
    const closing = { confirm: 'close', articles: 'erase' };
    await ask('POST', `/v1/principals/${String(body['id'])}/close`, closing);
  }

  const all = Array.from({ length: clients }, async () => {
    while (!stopped) await life();
  });
  async function stop(): Promise<void> {
    stopped = true;
    await Promise.all(all);
  }
  return { statuses, failures, stop, [Symbol.asyncDispose]: stop };
}
