// POST /v1/reports: reports a target to the moderators.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { bucketOf, newId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { insertReport } from '../queries/index.ts';

export const createReport = implement(operations.createReport)(async (
  { tx, caller, now, charge },
  { body },
) => {
  const bucket = bucketOf(body.target_id);
  const id = newId(bucket, now.getTime());
  void insertReport(tx, {
    bucket,
    id,
    targetType: body.target_type,
    targetId: body.target_id,
    category: body.category,
    details: body.details ?? null,
    reporterId: caller?.id ?? null,
    reporterContact: body.reporter_contact ?? null,
    changeId: newId(bucket, now.getTime()),
    now,
  });
  // Without an account the address has a limit; with one, a flood would bury the queue of the moderators.
  charge('reports.create');
  const isReadable = caller?.scopes.includes('admin:moderate') === true;
  return {
    status: 201,
    ...(isReadable ? { location: `/v1/moderation/reports/${id}` } : {}),
    body: { id, status: 'open', created_at: timestamp(now) },
  };
});
