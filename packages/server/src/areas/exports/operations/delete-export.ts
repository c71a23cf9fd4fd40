// DELETE /v1/exports/{id}: deletes the archive and the record; a running export ends.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findExport } from '../queries/index.ts';
import { requireOwnExport } from '../rules/exports.ts';
import { removeExport } from '../service/end-exports.ts';

export const deleteExport = implement(operations.deleteExport)(async (
  { tx, caller, problem, now },
  { params },
) => {
  const key = keyOf(params.id);
  requireOwnExport(problem, await findExport(tx, key), caller);
  await removeExport(tx, key, now);
  return { status: 204, body: undefined };
});
