// GET /v1/exports/{id}: the status of an export.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findExport } from '../queries/index.ts';
import { requireOwnExport } from '../rules/exports.ts';
import { exportView } from '../views.ts';

export const readExport = implement(operations.readExport)(async (
  { db, caller, problem, config, now },
  { params },
) => {
  const row = await findExport(db, keyOf(params.id));
  requireOwnExport(problem, row, caller);
  return { status: 200, body: exportView(row, config, now) };
});
