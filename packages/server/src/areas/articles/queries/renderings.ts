// Statements on the HTML of contents: rendered once per content and renderer, deleted with the content.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import { timestamp } from '#lib/timestamp';
import type { Signal } from '@colophon/text';
import type { RowKey } from '#lib/id';
import { shownRevision } from './articles.ts';

export interface ContentKey {
  readonly bucket: number;
  readonly hash: string;
}

/** Either HTML or the reason why there is none. */
export interface RenderingRow {
  readonly html: string | null;
  readonly headings: readonly {
    readonly level: number;
    readonly id: string;
    readonly text: string;
  }[];
  readonly reason: string | null;
}

export interface KeptRendering extends RenderingRow {
  readonly version: string;
  readonly signals: readonly Signal[] | null;
  readonly now: Date;
}

interface UnrenderedRow extends ContentKey {
  readonly content: string;
}

/**
 * Returns the texts that these articles have published, each once, without those that this renderer has
 * rendered.
 */
export function listUnrendered(
  db: Db,
  places: readonly RowKey[],
  version: string,
): Promise<readonly UnrenderedRow[]> {
  return db.rows(sql<UnrenderedRow>`
    -- never null: the version
    select distinct on (c.bucket, c.hash) c.bucket, c.hash, c.content
    from unnest(${places.map(({ bucket }) => bucket)}::smallint[], ${places.map(({ id }) => id)}::text[])
      as named (bucket, id)
    join articles a on a.bucket = named.bucket and a.id = named.id
    ${shownRevision.published}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    left join renderings h
      on h.bucket = c.bucket
      and h.hash = c.hash
      and h.version = ${version}
    where h.hash is null
    order by c.bucket, c.hash`);
}

export function findRendering(
  db: Db,
  key: ContentKey,
  version: string,
): Promise<RenderingRow | undefined> {
  return db.first(sql<RenderingRow>`
    select html, headings, reason
    from renderings
    where bucket = ${key.bucket} and hash = ${key.hash} and version = ${version}`);
}

/**
 * Returns the signals found in a content when it was rendered; undefined when the content was not scanned.
 */
export async function findSignals(
  db: Db,
  key: ContentKey,
  version: string,
): Promise<readonly Signal[] | undefined> {
  const row = await db.first(sql<{ readonly signals: readonly Signal[] | null }>`
    select signals
    from renderings
    where bucket = ${key.bucket} and hash = ${key.hash} and version = ${version}`);
  return row?.signals ?? undefined;
}

/**
 * Stores a rendering in place of an older renderer's. Stores nothing for a content that was erased meanwhile:
 * the lock waits for the transaction that deletes it.
 */
export function insertRendering(tx: Tx, key: ContentKey, rendered: KeptRendering): Promise<number> {
  const signals = rendered.signals === null ? null : JSON.stringify(rendered.signals);
  return tx.run(sql`
    insert into renderings (bucket, hash, version, html, headings, reason, signals, rendered_at)
    select
      c.bucket, c.hash, ${rendered.version}, ${rendered.html}, ${JSON.stringify(rendered.headings)}::json,
      ${rendered.reason}, ${signals}::json, ${timestamp(rendered.now)}
    from contents c
    where c.bucket = ${key.bucket} and c.hash = ${key.hash}
    for key share
    on conflict (bucket, hash) do update
    set version = excluded.version, html = excluded.html, headings = excluded.headings,
      reason = excluded.reason, signals = excluded.signals, rendered_at = excluded.rendered_at
    where renderings.version <> excluded.version`);
}
