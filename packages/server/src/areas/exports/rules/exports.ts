// The rules of exports: who may see one, what it is called, its stages, and when it ends. Pure.
import { limits } from '@colophon/contract';
import { requireScope } from '#http';
import type { Caller, Problems } from '#http';
import type { ExportRow } from '../queries/index.ts';

const dayMs = 86_400_000;

/** The stages of an export, in the order of the files in its archive. */
const stages = [
  'articles',
  'comments',
  'edges',
  'follows',
  'media',
  'keys',
  'principal',
  'files',
  'index',
  'end',
] as const;

export type Stage = (typeof stages)[number];

export const firstStage: Stage = 'articles';

/** Returns the stage after this one; undefined after the last. */
export function stageAfter(stage: string): Stage | undefined {
  return stages[stages.indexOf(stage as Stage) + 1];
}

/** Whether a stage reads what was committed before it. */
export function startsStep(stage: string): boolean {
  return stage === 'index' || stage === 'end';
}

/** When the archive of an export that was finished now is deleted. */
export function expiryOf(now: Date): Date {
  return new Date(now.getTime() + limits.export_days * dayMs);
}

/** Requires `agents:read` for what another principal wrote. @throws insufficient-scope */
export function requireAgentsScope(caller: Caller, principalId: string): void {
  if (principalId !== caller.id) requireScope(caller, 'agents:read');
}

/** Requires that the export is of the caller or of an agent of the caller. @throws not-found, insufficient-scope */
export function requireOwnExport(
  problem: Problems<'not-found'>,
  row: Pick<ExportRow, 'principal_id' | 'owner_principal_id'> | undefined,
  caller: Caller,
): asserts row is ExportRow {
  if (row === undefined || ![row.principal_id, row.owner_principal_id].includes(caller.id))
    throw problem('not-found', 'No export has this id, or it is not visible to you.');
  requireAgentsScope(caller, row.principal_id);
}

/** Why an archive was deleted early. */
export const staleReason =
  'After it was made, something in it was removed, or something that had been removed was put back. Request a new export.';
/** Why an archive is not there any more. */
export const expiredReason = `An archive is kept for ${limits.export_days} days. Request a new export.`;

/** Returns the status as of now, with its reason: what expired may not be swept yet. */
export function statusOf(row: ExportRow, now: Date): Pick<ExportRow, 'status' | 'reason'> {
  if (row.status !== 'ready') return { status: row.status, reason: row.reason };
  if (row.stale) return { status: 'expired', reason: staleReason };
  if (row.expires_at !== null && new Date(row.expires_at) <= now)
    return { status: 'expired', reason: expiredReason };
  return { status: 'ready', reason: null };
}

/** Requires that there is an archive to download. @throws conflict, gone */
export function requireReady(
  problem: Problems<'conflict' | 'gone'>,
  row: ExportRow,
  now: Date,
): void {
  const { status, reason } = statusOf(row, now);
  if (status === 'ready') return;
  if (status === 'queued' || status === 'running') {
    const done = `${row.counts.articles} of ${row.articles_total} articles`;
    throw problem(
      'conflict',
      `The archive is not ready yet (${done}). Read GET /v1/exports/${row.id} until its status is ready.`,
      { retry_after_seconds: 5 },
    );
  }
  throw problem(
    'gone',
    `The export has ${status === 'failed' ? 'failed' : 'expired'}. ${reason ?? ''}`.trim(),
  );
}

/** Returns the file name of an archive. */
export function archiveName(row: Pick<ExportRow, 'username' | 'created_at'>): string {
  return `colophon-export-${row.username}-${row.created_at.slice(0, 10)}.zip`;
}
