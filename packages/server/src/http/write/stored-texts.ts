// Removes what was deleted or erased from the answers that are stored for replays.
import { sql } from '#database';
import type { Statement, Tx } from '#database';
import type { RowKey } from '#lib/id';

/**
 * Deletes every stored answer to a principal and its agents: they contain content that was written, and will
 * not be replayed.
 */
export function deleteAnswers(tx: Tx, { bucket, id }: RowKey): Promise<number> {
  return tx.run(sql`
    delete from idempotency_keys k
    using principals p
    where p.bucket = ${bucket}
      and ${id} in (p.id, p.owner_principal_id)
      and k.bucket = p.bucket
      and k.principal_id = p.id`);
}

/** Selects whose answers can contain these articles. */
function authorsOf(bucket: number, ids: readonly string[]): Statement {
  return sql`
    select a.author_id
    from articles a
    where a.bucket = ${bucket} and a.id = any(${ids})`;
}

/**
 * Removes titles from stored answers, which contain the address of an article with its title. The key stays
 * used, so that a late retry of the creation does not restore the text.
 */
export function eraseStoredTitles(
  tx: Tx,
  { bucket, ids }: { readonly bucket: number; readonly ids: readonly string[] },
): Promise<number> {
  return tx.run(sql`
    update idempotency_keys k
    set body = regexp_replace(k.body, '(/@[^/"]+/)[^/"]*-([0-9A-Z]{26}")', '\\1article-\\2', 'g')
    where k.bucket = ${bucket}
      and k.principal_id in (${authorsOf(bucket, ids)})
      and substring(k.body from '-([0-9A-Z]{26})"') = any(${ids})`);
}

/**
 * Removes the notes of edges from stored answers that created edges of these articles. The keys stay used.
 */
export function eraseStoredNotes(
  tx: Tx,
  { bucket, ids }: { readonly bucket: number; readonly ids: readonly string[] },
): Promise<number> {
  return tx.run(sql`
    update idempotency_keys k
    set body = (k.body::jsonb || '{"note": null}'::jsonb)::text
    where k.bucket = ${bucket}
      and k.principal_id in (${authorsOf(bucket, ids)})
      and substring(k.body from '"src_article_id":"([0-9A-Z]{26})"') = any(${ids})`);
}

/**
 * Removes a text from the stored answer that created an object. The key stays used, so that a late retry does not
 * write the text again.
 */
export function eraseStoredText(
  tx: Tx,
  { bucket, id: holderId }: RowKey,
  { id, member }: { readonly id: string; readonly member: 'content' | 'note' },
): Promise<number> {
  return tx.run(sql`
    update idempotency_keys
    set body = (body::jsonb || jsonb_build_object(${member}::text, null))::text
    where bucket = ${bucket}
      and principal_id = ${holderId}
      and starts_with(body, ${`{"id":"${id}"`})`);
}

/** Removes the descriptions of files from the stored answers that reserved their records. The keys stay used. */
export function eraseStoredDescriptions(
  tx: Tx,
  { bucket, id: holderId }: RowKey,
  ids: readonly string[],
): Promise<number> {
  return tx.run(sql`
    update idempotency_keys
    set body = (body::jsonb || '{"alt_text": null}'::jsonb)::text
    where bucket = ${bucket}
      and principal_id = ${holderId}
      and substring(body from '^{"id":"([0-9A-Z]{26})"') = any(${ids})`);
}
