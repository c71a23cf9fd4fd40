// One step of an export: what it reads, where it writes, and what it says at its end.
import type { Config } from '#config';
import type { Database } from '#database';
import type { Caller } from '#http';
import type { Log } from '#outbox';
import type { MediaStore } from '#storage';
import type { BuildingRow, Counts } from '../queries/index.ts';
import type { ArchiveWriter } from './archive-writer.ts';

export interface ExportServices {
  readonly db: Database;
  readonly store: MediaStore;
  readonly config: Config;
  readonly log: Log;
  now(): Date;
}

export interface Step {
  readonly row: BuildingRow;
  readonly writer: ArchiveWriter;
  readonly services: ExportServices;
  /** Reads as the principal itself. */
  readonly reading: {
    readonly db: Database;
    readonly config: Config;
    readonly caller: Caller;
  };
}

export interface Stepped {
  /** Where the next step of this stage begins; undefined: the stage is done. */
  readonly next: string | undefined;
  /** What the step added. */
  readonly counts?: Partial<Counts>;
  readonly tombstones?: number;
  /** Of checksums.txt, from the last step. */
  readonly checksums?: string;
}

/** Returns the principal of an export as a caller who may read everything of its own, and nothing else. */
export function principalOf(row: BuildingRow): Caller {
  return {
    id: row.principal_id,
    bucket: row.bucket,
    kind: row.kind,
    username: row.username,
    ownerId: row.owner_principal_id,
    trustLevel: 0,
    suspended: false,
    scopes: ['articles:read', 'comments:read'],
    token: null,
    session: null,
  };
}
