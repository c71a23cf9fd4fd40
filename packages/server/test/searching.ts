// What tests of search share: publishing until it is found, asking, and what a hit shows.
import assert from 'node:assert/strict';
import type { Human, Response, TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

/** Publishes an article and waits for its search row; answers its id. */
export async function findable(
  server: TestServer,
  human: Human,
  members: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { id } = await server.published(human, members);
  await untilIndexed(server, id);
  return id as string;
}

export function untilIndexed(server: TestServer, id: string): Promise<void> {
  return until('the article is indexed', async () => {
    const { body } = await server.ask('GET', `/v1/articles/${id}/processing`);
    return body.search_indexed === true;
  });
}

export function searchFor(
  server: TestServer,
  q: string,
  parameters: Readonly<Record<string, string>> = {},
  token?: string,
): Promise<Response> {
  const query = new URLSearchParams({ q, ...parameters });
  return server.ask('GET', `/v1/search?${query}`, token === undefined ? {} : { token });
}

/** Titles of the articles that are found, the best first. */
export async function titlesFor(
  server: TestServer,
  q: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const { status, body } = await searchFor(server, q, parameters);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map((item: { article: { title: string } }) => item.article.title);
}

interface Snippet {
  readonly text: string;
  readonly matches: readonly (readonly [number, number])[];
}

/** The pieces of a snippet that are marked, read in code points. */
export function markedPieces({ text, matches }: Snippet): string[] {
  const points = [...text];
  return matches.map(([start, end]) => points.slice(start, end).join(''));
}
