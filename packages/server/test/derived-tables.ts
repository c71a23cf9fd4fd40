// Everything derived, for tests: what it contains, deleting it all, and rebuilding it.
import assert from 'node:assert/strict';
import type { Rebuilding } from '#reindex';
import { rebuildingOgImages } from '#share-images';
import { rebuilding } from '#subscribers';
import pg from 'pg';
import type { TestServer } from './harness.ts';

/** Every derived table, and what differs in it from one making to the next. */
const tables: Readonly<Record<string, readonly string[]>> = {
  article_search: ['indexed_at'],
  article_topics: [],
  topics: [],
  search_words: [],
  comment_search: ['indexed_at'],
  principal_search: ['indexed_at'],
  article_trends: [],
  article_supporters: [],
  sitemap_entries: ['file'],
  sitemap_files: ['changed_at'],
  og_images: ['made_at', 'name'],
};

/** The rows that both ways must agree on. An image is kept when somebody takes its article off the lists. */
const due: Readonly<Record<string, string>> = {
  og_images:
    'where exists (select from articles a where a.listed and a.bucket = t.bucket and a.id = t.article_id)',
  // Articles that came and went again leave a file without entries, which is not shown.
  sitemap_files: 'where t.entries > 0',
};

export type Snapshot = Readonly<Record<string, readonly string[]>>;

export async function snapshotOf(owner: pg.Client): Promise<Snapshot> {
  const found: Record<string, string[]> = {};
  for (const [table, passing] of Object.entries(tables)) {
    const { rows } = await owner.query<{ row: object }>(
      `select to_jsonb(t) - $1::text[] as row from ${table} t ${due[table] ?? ''}`,
      [passing],
    );
    found[table] = rows.map(({ row }) => JSON.stringify(row)).toSorted();
  }
  return found;
}

export function assertSame(actual: Snapshot, expected: Snapshot): void {
  for (const [table, rows] of Object.entries(expected)) {
    const [have, want] = [new Set(actual[table]), new Set(rows)];
    assert.deepEqual([...want.difference(have)].slice(0, 3), [], `missing in ${table}`);
    assert.deepEqual([...have.difference(want)].slice(0, 3), [], `too much in ${table}`);
    assert.equal(actual[table]?.length, rows.length, `rows of ${table}`);
  }
}

export async function truncateDerived(owner: pg.Client): Promise<void> {
  await owner.query(`truncate ${Object.keys(tables).join(', ')}`);
}

/** What another program finds the test's database by. */
export function urlOf({ host, port, user, database }: pg.ClientConfig): string {
  return `postgres://${String(user)}@/${String(database)}?host=${encodeURIComponent(String(host))}&port=${String(port)}`;
}

export function databaseUrlOf({ services }: Pick<TestServer, 'services'>): string {
  return urlOf(services.connection);
}

const atOnce = 200;

async function walk(one: Rebuilding, next: Rebuilding['next'], server: TestServer): Promise<void> {
  for (let after = ''; ;) {
    const ids = await next(server.db, after, atOnce);
    for (const id of ids) await one.rebuild(id, server.services);
    after = ids.at(-1) ?? after;
    if (ids.length < atOnce) return;
  }
}

/**
 * Deletes everything derived and rebuilds it from its sources, as `reindex --from-start` does. Share images are
 * drawn only if the server of the test draws them ahead too.
 */
export async function rebuildDerived(server: TestServer, draws = true): Promise<void> {
  const owner = new pg.Client(server.services.connection);
  await owner.connect();
  await truncateDerived(owner);
  await owner.end();
  const images = draws ? [rebuildingOgImages(server.services)] : [];
  for (const one of [...rebuilding, ...images]) {
    await walk(one, one.next, server);
    await walk(one, one.stale, server);
  }
}
