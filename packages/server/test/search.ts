// Searching in tests: what is found, and deriving it at the moment that a test chooses.
import assert from 'node:assert/strict';
import { sql } from '#database';
import type { Delivered } from '#outbox';
import { subscribers } from '#test/derived-subscribers';
import type { Response, TestServer } from './harness.ts';

type Query = Readonly<Record<string, string>>;

/** The answer to a search. */
export function askSearch(server: TestServer, query: Query, token?: string): Promise<Response> {
  const path = `/v1/search?${new URLSearchParams(query)}`;
  return server.ask('GET', path, token === undefined ? {} : { token });
}

/** The hits of a search that succeeds, the best first. */
export async function hits(server: TestServer, query: Query): Promise<Response['body'][]> {
  const found = await askSearch(server, query);
  assert.equal(found.status, 200, JSON.stringify(found.body));
  return found.body.items;
}

/** What a list of hits is of, by the ids of its records. */
export function idsOf(items: readonly Response['body'][]): readonly string[] {
  return items.map((hit) => hit[hit.type].id as string);
}

/** Ids of all that a search finds, page by page. */
export async function allIds(server: TestServer, query: Query): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Response = await askSearch(server, cursor === null ? query : { ...query, cursor });
    assert.equal(page.status, 200, JSON.stringify(page.body));
    ids.push(...idsOf(page.body.items));
    cursor = page.body.next_cursor;
  } while (cursor !== null);
  return ids;
}

/** The messages of one type that wait, oldest first, for a server whose pipeline does not run. */
export function messagesOf(server: TestServer, type: string): Promise<readonly Delivered[]> {
  return server.db.rows(sql<Delivered>`
    select bucket, id, type, payload, created_at
    from outbox
    where type = ${type}
    order by id`);
}

/**
 * Does what discovery does for every message of these types that waits, and takes them away, on a server
 * whose pipeline does not run. Answers the messages.
 */
export async function derive(
  server: TestServer,
  ...types: readonly string[]
): Promise<readonly Delivered[]> {
  const services = { db: server.db, log: server.services.log, now: () => new Date() };
  const all: Delivered[] = [];
  for (const type of types) {
    const messages = await messagesOf(server, type);
    for (const message of messages) {
      for (const subscriber of subscribers) {
        if (subscriber.type === type && subscriber.name.startsWith('index'))
          await subscriber.run(message, services);
      }
    }
    const ids = messages.map(({ id }) => id);
    await server.db.transaction((tx) => tx.run(sql`delete from outbox where id = any(${ids})`));
    all.push(...messages);
  }
  return all;
}
