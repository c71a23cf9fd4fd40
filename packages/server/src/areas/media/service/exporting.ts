// The media of a participant for an export: the records, and where the original bytes are.
import type { Config } from '#config';
import type { Db } from '#database';
import { limits } from '@colophon/contract';
import type { RowKey } from '#lib/id';
import { listOriginals, listOwned } from '../queries/index.ts';
import { fileNameOf, mediaView } from '../views.ts';

const recordsAtOnce = limits.page_limit_max;
const filesAtOnce = 20;

/** Returns the records as GET /v1/media answers them, newest first, and how many more were removed. */
export async function exportedMedia(
  { db, config }: { readonly db: Db; readonly config: Config },
  owner: RowKey,
  before: string | undefined,
) {
  const { bucket, id: ownerId } = owner;
  const input = { bucket, ownerId, before, status: undefined, kind: undefined };
  const found = await listOwned(db, { ...input, limit: recordsAtOnce });
  const rows = found.slice(0, recordsAtOnce);
  return {
    records: rows.filter(({ status }) => status !== 'removed').map((row) => mediaView(row, config)),
    removed: rows.filter(({ removed_at: at }) => at !== null).length,
    next: found.length > recordsAtOnce ? rows.at(-1)?.id : undefined,
  };
}

/** The original bytes of a record. */
export interface ExportedFile {
  readonly id: string;
  readonly fileName: string;
  /** Name in the store. */
  readonly name: string;
  readonly checksum: string;
  readonly size: number;
}

/** Returns a page of the files of a participant, newest first. */
export async function exportedFiles(
  db: Db,
  owner: RowKey,
  before: string | undefined,
): Promise<{ readonly records: readonly ExportedFile[]; readonly next: string | undefined }> {
  const rows = await listOriginals(db, owner, before, filesAtOnce);
  return {
    records: rows.map(({ id, name, checksum, content_type: type, byte_size: size }) => ({
      id,
      fileName: fileNameOf(id, type),
      name,
      checksum,
      size,
    })),
    next: rows.length < filesAtOnce ? undefined : rows.at(-1)?.id,
  };
}
