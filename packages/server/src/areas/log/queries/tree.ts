// Statements on the tree: its tiles, and how far it is integrated and published.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import { logBucket } from './bucket.ts';

export interface TileKey {
  readonly level: number;
  readonly index: number;
}

export interface StoredTile extends TileKey {
  /** 32 bytes for each hash. */
  readonly hashes: Buffer;
}

/** Returns those of the tiles that exist. */
export function listTiles(db: Db, tiles: readonly TileKey[]): Promise<readonly StoredTile[]> {
  return db.rows(sql<StoredTile>`
    select t.level, t.number as index, t.hashes
    from unnest(
      ${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ index }) => index)}::bigint[]
    ) as wanted (level, number)
    join log_tiles t on t.bucket = ${logBucket} and t.level = wanted.level and t.number = wanted.number`);
}

export function setTiles(tx: Tx, tiles: readonly StoredTile[]): Promise<number> {
  return tx.run(sql`
    insert into log_tiles (bucket, level, number, hashes)
    select ${logBucket}::smallint, given.level, given.number, given.hashes
    from unnest(
      ${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ index }) => index)}::bigint[],
      ${tiles.map(({ hashes }) => hashes)}::bytea[]
    ) as given (level, number, hashes)
    on conflict on constraint log_tiles_number_pkey
    do update set hashes = excluded.hashes`);
}

export interface Head {
  readonly origin: string;
  readonly size: number;
  /** Hexadecimal digits. */
  readonly root: string;
  readonly published_size: number;
  readonly published_root: string;
  /** The signed checkpoint of the published tree. */
  readonly checkpoint: string | null;
  readonly published_at: string | null;
  readonly refusal: string | null;
}

const headColumns = sql`origin, size, root, published_size, published_root, checkpoint, published_at, refusal`;

export function findHead(db: Db): Promise<Head | undefined> {
  return db.first(sql<Head>`
    select ${headColumns}
    from log_heads
    where bucket = ${logBucket}`);
}

/** Locks the head until the transaction ends: one tree grows at one end. */
export function lockHead(tx: Tx): Promise<Head | undefined> {
  return tx.first(sql<Head>`
    select ${headColumns}
    from log_heads
    where bucket = ${logBucket}
    for update`);
}

/** Inserts the head of the empty tree, unless there is one. */
export function insertHead(tx: Tx, origin: string, emptyRoot: string): Promise<number> {
  return tx.run(sql`
    insert into log_heads (bucket, origin, size, root, published_size, published_root)
    values (${logBucket}, ${origin}, 0, ${emptyRoot}, 0, ${emptyRoot})
    on conflict on constraint log_heads_bucket_pkey
    do nothing`);
}

/** Renames a log without leaves, and has its checkpoint signed again. */
export async function setOrigin(tx: Tx, origin: string): Promise<void> {
  await Promise.all([
    tx.run(sql`
      update log_heads
      set origin = ${origin}, published_at = null
      where bucket = ${logBucket} and size = 0`),
    tx.run(sql`
      delete from log_keys
      where bucket = ${logBucket}`),
  ]);
}

export interface Grown {
  readonly size: number;
  readonly root: string;
  readonly now: Date;
}

export function setGrown(tx: Tx, { size, root, now }: Grown): Promise<number> {
  return tx.run(sql`
    update log_heads
    set size = ${size}, root = ${root}, integrated_at = ${now.toISOString()}
    where bucket = ${logBucket}`);
}

export interface Published extends Grown {
  /** The signed note. */
  readonly checkpoint: string;
}

/** Stores the checkpoint that was published. An older one never replaces a newer one. */
export function setPublishedHead(tx: Tx, published: Published): Promise<number> {
  return tx.run(sql`
    update log_heads
    set published_size = ${published.size}, published_root = ${published.root},
      checkpoint = ${published.checkpoint}, published_at = ${published.now.toISOString()}, refusal = null
    where bucket = ${logBucket} and published_size <= ${published.size}`);
}

/** Has the published checkpoint signed and published again, as by another key. */
export function setUnpublished(tx: Tx): Promise<number> {
  return tx.run(sql`
    update log_heads
    set published_at = null
    where bucket = ${logBucket}`);
}

/** Stores why nothing is signed, or that it is. */
export function setRefusal(tx: Tx, refusal: string | null): Promise<number> {
  return tx.run(sql`
    update log_heads
    set refusal = ${refusal}
    where bucket = ${logBucket} and refusal is distinct from ${refusal}`);
}

export interface LogKey {
  readonly verifier_key: string;
  readonly created_at: string;
  readonly retired_at: string | null;
}

/** Returns the keys of the log, the newest first. */
export function listLogKeys(db: Db): Promise<readonly LogKey[]> {
  return db.rows(sql<LogKey>`
    select verifier_key, created_at, retired_at
    from log_keys
    where bucket = ${logBucket}
    order by created_at desc, verifier_key`);
}

export function insertLogKey(tx: Tx, verifierKey: string, now: Date): Promise<number> {
  return tx.run(sql`
    insert into log_keys (bucket, verifier_key, created_at)
    values (${logBucket}, ${verifierKey}, ${now.toISOString()})
    on conflict on constraint log_keys_verifier_key_pkey
    do nothing`);
}

export function setLogKeyRetired(tx: Tx, verifierKey: string, now: Date): Promise<number> {
  return tx.run(sql`
    update log_keys
    set retired_at = ${now.toISOString()}
    where bucket = ${logBucket} and verifier_key = ${verifierKey} and retired_at is null`);
}
