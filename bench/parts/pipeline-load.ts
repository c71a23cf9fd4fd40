// Writes that create work for the pipeline, sent to the real operations.
import type { Registered } from './author.ts';

const clients = 12;

interface Text {
  readonly title: string;
  readonly content: string;
}

type Answer = Readonly<Record<string, unknown>>;

interface Input {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends one request on a persistent connection. 410 is accepted: the article of a write may have been removed
 * meanwhile.
 */
export async function ask(
  route: string,
  url: string,
  token: string,
  { body, headers = {} }: Input = {},
): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': crypto.randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok && response.status !== 410)
    throw new Error(`${route} answered ${response.status}: ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Answer);
}

/** Runs `work` for 0 to `count`, some at a time. */
export async function inParallel(
  count: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const client = async () => {
    for (let n = next++; n < count; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: clients }, client));
}

interface Place {
  readonly url: string;
  readonly authors: readonly Registered[];
  readonly textOf: (n: number) => Text;
}

const authorOf = ({ authors }: Place, n: number) => authors[n % authors.length] as Registered;

async function publishOne(place: Place, n: number): Promise<string> {
  const { token } = authorOf(place, n);
  const topics = [`subject ${n % 40}`, `field ${n % 7}`];
  const body = { ...place.textOf(n), language: 'en', metadata: { topics } };
  const { id } = await ask('POST /v1/articles', place.url, token, { body });
  await ask(`POST /v1/articles/${id as string}/publish`, place.url, token, { body: {} });
  return id as string;
}

/** Creates and publishes a new revision of an article. */
async function revise(place: Place, id: string, n: number): Promise<void> {
  const { url } = place;
  const { token } = authorOf(place, n);
  const article = `/v1/articles/${id}`;
  const { revision_id } = await ask(`GET ${article}`, url, token);
  if (revision_id === undefined) return;
  const body = { ...place.textOf(n + 500_000), metadata: { topics: [`subject ${n % 40}`] } };
  const headers = { 'if-match': `"${revision_id as string}"` };
  await ask(`POST ${article}/revisions`, url, token, { body, headers });
  await ask(`POST ${article}/publish`, url, token, { body: {} });
}

type Step = (place: Place, n: number, ids: readonly string[]) => Promise<unknown>;

const idAt = (ids: readonly string[], n: number) => ids[n % ids.length] ?? '';

/** Returns one of the author's own articles, which are as far apart in the list as there are authors. */
function ownOf({ authors }: Place, n: number, ids: readonly string[]): string {
  const own = ids.slice(0, ids.length - (ids.length % authors.length));
  return idAt(own, n * 7 * authors.length + (n % authors.length));
}

const comment: Step = (place, n, ids) =>
  ask(`POST /v1/articles/${idAt(ids, n % 200)}/comments`, place.url, authorOf(place, n).token, {
    body: { content: `What number ${n} says about it.` },
  });

const cite: Step = async (place, n, ids) => {
  const [source, destination] = [ownOf(place, n, ids), idAt(ids, n % 97)];
  if (source === destination) return;
  const body = { src_article_id: source, dst_article_id: destination, kind: 'cites' };
  await ask('POST /v1/edges', place.url, authorOf(place, n).token, { body });
};

const follow: Step = (place, n) =>
  ask('POST /v1/follows', place.url, authorOf(place, n).token, {
    body: { principal_id: authorOf(place, n + 1 + (n % 5)).id },
  });

const remove: Step = async (place, n, ids) => {
  const last = ids.length - 1 - n;
  if (last < 0) return;
  await ask(`DELETE /v1/articles/${idAt(ids, last)}`, place.url, authorOf(place, last).token);
};

/** Of each twenty: ten comments, three edges, two follows, two revisions, a removal, two publications. */
const steps: readonly (readonly [times: number, step: Step])[] = [
  [10, comment],
  [3, cite],
  [2, follow],
  [2, (place, n, ids) => revise(place, ownOf(place, n, ids), n)],
  [1, remove],
  [2, (place, n) => publishOne(place, n + 700_000)],
];
const inTurn = steps.flatMap(([times, step]) => Array.from({ length: times }, () => step));

export function openWriters(place: Place) {
  let written = 0;
  return {
    /** Publishes articles with two topics each; returns their ids in the order of their authors. */
    publish: async (count: number): Promise<readonly string[]> => {
      const ids: string[] = [];
      const first = written;
      written += Math.ceil(count / place.authors.length) * place.authors.length;
      await inParallel(count, async (n) => {
        ids[n] = await publishOne(place, first + n);
      });
      return ids;
    },
    /** Makes writes of every kind, on articles that `publish` made. */
    mix: (count: number, ids: readonly string[]) =>
      inParallel(count, async (n) => inTurn[n % inTurn.length]?.(place, n, ids)),
  };
}
