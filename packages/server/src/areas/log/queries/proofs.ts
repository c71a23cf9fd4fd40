// Everything that proofs of inclusion need, in one statement: they are read on requests.
import { sql } from '#database';
import type { Db } from '#database';
import { logBucket } from './bucket.ts';
import type { Head, StoredTile } from './tree.ts';

/** A publication that is in the published tree and whose salt is stored. */
export interface ProvenLeaf {
  readonly cause: string;
  readonly number: number;
  readonly entry: string;
  readonly salt: Buffer;
}

export interface ProofParts {
  readonly head: Pick<Head, 'origin'> & { readonly size: number; readonly checkpoint: string };
  readonly leaves: readonly ProvenLeaf[];
  /** Those on the paths of the leaves, and the last one of each level. */
  readonly tiles: readonly StoredTile[];
}

/** A row has a leaf or a tile. */
interface PartRow {
  readonly origin: string;
  readonly size: number;
  readonly checkpoint: string;
  readonly cause: string | null;
  readonly number: number;
  readonly entry: string;
  readonly salt: Buffer;
  readonly level: number;
  readonly hashes: Buffer;
}

/** Returns the parts for the publications with these causes; undefined if none of them is in the published tree. */
export async function findProofParts(
  db: Db,
  causes: readonly string[],
): Promise<ProofParts | undefined> {
  const rows = await db.rows(sql<PartRow>`
    with head as (
      select origin, published_size as size, checkpoint
      from log_heads
      where bucket = ${logBucket} and checkpoint is not null
    ), leaves as (
      select h.origin, h.size, h.checkpoint, l.cause, l.number, l.entry, l.salt
      from head h
      join log_leaves l on l.bucket = ${logBucket} and l.cause = any(${causes}) and l.number < h.size
      where l.salt is not null
    ), wanted as (
      -- a tile has 256 hashes, each of the whole tile of the level below
      select t.level, l.number >> (8 * (t.level + 1)) as index
      from leaves l
      cross join generate_series(0, 6) as t (level)
      where l.size >> (8 * t.level) > 0
      union
      select t.level, ((l.size >> (8 * t.level)) - 1) >> 8
      from leaves l
      cross join generate_series(0, 6) as t (level)
      where l.size >> (8 * t.level) > 0
    )
    select null::text as origin, null::bigint as size, null::text as checkpoint, null::text as cause,
      t.number, null::text as entry, null::bytea as salt, t.level, t.hashes
    from wanted w
    join log_tiles t on t.bucket = ${logBucket} and t.level = w.level and t.number = w.index
    union all
    select l.origin, l.size, l.checkpoint, l.cause, l.number, l.entry, l.salt, null, null
    from leaves l`);
  const [tiles, leaves] = [
    rows.filter(({ cause }) => cause === null),
    rows.filter(({ cause }) => cause !== null),
  ];
  const [first] = leaves;
  if (first === undefined) return undefined;
  return {
    head: first,
    leaves: leaves.map((leaf) => ({ ...leaf, cause: leaf.cause ?? '' })),
    tiles: tiles.map(({ level, number: index, hashes }) => ({ level, index, hashes })),
  };
}
