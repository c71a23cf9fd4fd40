// POST /v1/exports: queues an export of everything that a principal wrote.
import { operations } from '@colophon/contract';
import { findPrincipal } from '#identity';
import { implement } from '#http';
import { bucketOf, newId } from '#lib/id';
import { exportRequested } from '../outbox.ts';
import { findExport, findUnfinished, insertExport } from '../queries/index.ts';
import { firstStage, requireAgentsScope } from '../rules/exports.ts';
import { exportView } from '../views.ts';

export const createExport = implement(operations.createExport, async ({ problem, store }) => {
  if (await store.hasRoom(0)) return;
  throw problem('unavailable', 'The server is low on disk space. Try again later.', {
    retry_after_seconds: 3_600,
  });
})(async ({ tx, caller, problem, config, now, charge }, { body }) => {
  const principalId = body.principal_id ?? caller.id;
  requireAgentsScope(caller, principalId);
  const bucket = bucketOf(principalId);
  if (principalId !== caller.id) {
    const agent = await findPrincipal(tx, bucket, principalId);
    if (agent === undefined) throw problem('not-found', 'No principal has this id.');
    if (agent.owner_principal_id !== caller.id)
      throw problem('forbidden', 'You can export what you and agents that you own have written.');
  }
  const key = { bucket, id: newId(bucket, now.getTime()) };
  const queued = await insertExport(tx, { ...key, principalId, stage: firstStage, now });
  if (queued === undefined) {
    const running = await findUnfinished(tx, { bucket, id: principalId });
    const detail = 'An export of this principal is being built.';
    // It may have ended between the two statements.
    if (running === undefined) throw problem('conflict', `${detail} Try again.`);
    throw problem('conflict', `${detail} Read GET /v1/exports/${running}, or delete it.`, {
      export_id: running,
    });
  }
  exportRequested(tx, key, now);
  charge('exports.create');
  const row = await findExport(tx, key);
  if (row === undefined) throw new Error(`The export ${key.id} is missing.`);
  return { status: 201, location: `/v1/exports/${key.id}`, body: exportView(row, config, now) };
});
