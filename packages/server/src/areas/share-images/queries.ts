// Statements of share images, and of what they show.
import type { articleStatuses, visibilities } from '@colophon/contract';
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { Card } from '@colophon/share-images';
import { walkOf } from '#reindex';
import type { RowKey } from '#lib/id';

/** An article with what its image shows, and its stored image. */
export interface PicturedRow {
  readonly id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly status: (typeof articleStatuses)[number];
  readonly visibility: (typeof visibilities)[number];
  readonly published_revision_id: string | null;
  readonly removed_at: string | null;
  readonly removed_legally: boolean;
  readonly reason_code: string | null;
  readonly listed: boolean;
  readonly language: string;
  readonly disclosure: Card['disclosure'];
  readonly author_kind: Card['kind'];
  readonly username: string;
  readonly display_name: string | null;
  readonly owner_username: string | null;
  /** null after the text was erased, or if nothing was published. */
  readonly title: string | null;
  /** null if there is no image, like all columns of the image. */
  readonly image_key: string | null;
  readonly image_revision_id: string | null;
  readonly image_name: string | null;
  readonly image_size: number | null;
}

/** Returns the row that decides about an article's image now. */
export function findPictured(
  db: Db | Tx,
  { bucket, id }: RowKey,
): Promise<PicturedRow | undefined> {
  return db.first(sql<PicturedRow>`
    select a.id, a.author_id, p.owner_principal_id, a.status, a.visibility, a.published_revision_id,
      a.removed_at, a.removed_legally, a.reason_code, a.listed, a.language, a.disclosure, a.author_kind,
      p.username, p.display_name, o.username as owner_username, c.title,
      i.key as image_key, i.revision_id as image_revision_id, i.name as image_name,
      i.byte_size as image_size
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    left join principals o on o.bucket = p.bucket and o.id = p.owner_principal_id
    left join revisions r
      on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
    left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    left join og_images i on i.bucket = a.bucket and i.article_id = a.id
    where a.bucket = ${bucket} and a.id = ${id}`);
}

export interface KeptImage {
  readonly key: string;
  readonly name: string;
  readonly byteSize: number;
}

/** Inserts the image's row, with an empty name, or locks it if it exists, until the transaction ends. */
export async function lockOgImage(
  tx: Tx,
  { bucket, id }: RowKey,
  now: string,
): Promise<KeptImage | undefined> {
  return tx.first(sql<KeptImage>`
    insert into og_images (bucket, article_id, revision_id, key, name, byte_size, made_at)
    values (${bucket}, ${id}, '', '', '', 0, ${now})
    on conflict on constraint og_images_article_id_pkey
    do update set made_at = og_images.made_at
    returning key, name, byte_size as "byteSize"`);
}

/** The image must be locked. */
export function setOgImage(
  tx: Tx,
  { bucket, id }: RowKey,
  image: KeptImage & { readonly revisionId: string; readonly now: string },
): Promise<number> {
  return tx.run(sql`
    update og_images
    set revision_id = ${image.revisionId}, key = ${image.key}, name = ${image.name},
      byte_size = ${image.byteSize}, made_at = ${image.now}
    where bucket = ${bucket} and article_id = ${id}`);
}

/** Records that the locked image is also valid for another revision. */
export function setOgRevision(tx: Tx, { bucket, id }: RowKey, revisionId: string): Promise<number> {
  return tx.run(sql`
    update og_images
    set revision_id = ${revisionId}
    where bucket = ${bucket} and article_id = ${id}`);
}

export function deleteOgImage(tx: Tx, { bucket, id }: RowKey): Promise<number> {
  return tx.run(sql`
    delete from og_images
    where bucket = ${bucket} and article_id = ${id}`);
}

/** The articles with an image that are not open to everyone, or that no longer exist. */
export const listStaleOgImages = walkOf({
  from: sql`og_images s left join articles a on a.bucket = s.bucket and a.id = s.article_id`,
  id: sql`s.article_id`,
  only: sql`(a.id is null or a.status <> 'published' or a.visibility = 'private')`,
});
