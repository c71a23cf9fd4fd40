// GET /v1/exports/{id}/content: the archive, streamed from its pieces in the store.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findExport } from '../queries/index.ts';
import { archiveName, requireOwnExport, requireReady } from '../rules/exports.ts';
import { openArchive } from '../service/archive-reader.ts';

export const readExportContent = implement(operations.readExportContent)(async (
  { db, caller, problem, now },
  { params },
) => {
  const key = keyOf(params.id);
  const row = await findExport(db, key);
  requireOwnExport(problem, row, caller);
  requireReady(problem, row, now);
  return {
    status: 200,
    body: undefined,
    bytes: {
      open: (store, span) => openArchive({ db, store }, key, span),
      contentType: 'application/zip',
      size: row.byte_size,
      etag: row.id,
      attachment: true,
      fileName: archiveName(row),
    },
  };
});
