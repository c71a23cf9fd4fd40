// DELETE /v1/exports/{id}: deletes the archive and the record; a running export ends.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { bytesFreed } from '#outbox';
import { keyOf } from '#lib/id';
import { deleteExportRow, findExport } from '../queries/index.ts';
import { requireOwnExport } from '../rules/exports.ts';

export const deleteExport = implement(operations.deleteExport)(async (
  { tx, caller, problem, now },
  { params },
) => {
  const key = keyOf(params.id);
  requireOwnExport(problem, await findExport(tx, key), caller);
  bytesFreed(tx, key.bucket, await deleteExportRow(tx, key), now);
  return { status: 204, body: undefined };
});
