// Database content for benchmarks: an author, and an article of a known size.
export interface Author {
  readonly id: string;
  readonly token: string;
}

export interface Registered extends Author {
  readonly username: string;
}

export async function post(
  url: string,
  body: unknown,
  token?: string,
): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      // A later program may listen on the same port: each connection is closed after its request.
      connection: 'close',
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const answered = (await response.json()) as Record<string, string>;
  if (!response.ok)
    throw new Error(`POST ${url} answered ${response.status}: ${JSON.stringify(answered)}`);
  return answered;
}

export async function registerAuthor(baseUrl: string): Promise<Registered> {
  const username = `bench-${Math.random().toString(36).slice(2, 10).replaceAll(/[0-9]/g, 'x')}`;
  return (await post(`${baseUrl}/v1/humans`, { username })) as unknown as Registered;
}

/** Publishes an article and returns its id. */
export async function publishArticle(
  baseUrl: string,
  author: Author,
  content: string,
): Promise<string> {
  const { id = '' } = await post(
    `${baseUrl}/v1/articles`,
    { title: 'An article to measure with', content, language: 'en' },
    author.token,
  );
  await post(`${baseUrl}/v1/articles/${id}/publish`, {}, author.token);
  return id;
}

const paragraph = [
  '## What a reader meets',
  '',
  'A paragraph of *ordinary* prose with a [link](https://example.org/page), some `code`, and a list:',
  '',
  '- first, something short;',
  '- second, something that is a little longer than what stood before it;',
  '- third, a name with an accent: Zoë, and a dash — here.',
  '',
  '',
].join('\n');

/** Returns Markdown of about `bytes` bytes of UTF-8. */
export function markdownOf(bytes: number): string {
  return paragraph.repeat(Math.ceil(bytes / Buffer.byteLength(paragraph))).slice(0, bytes);
}
