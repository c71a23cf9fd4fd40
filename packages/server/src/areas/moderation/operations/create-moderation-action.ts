// POST /v1/moderation/actions: carries out an action, records it, and notifies the owner of the target.
import { operations } from '@colophon/contract';
import type { BodyOf } from '@colophon/contract';
import type { Tx } from '#database';
import { implement, invalid } from '#http';
import type { Problems } from '#http';
import { holdScope, isAdministrator, waitForWrites } from '#identity';
import { bucketOf, keyOf, newId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { appendEvent } from '#event-log';
import type { NewEvent } from '#event-log';
import { actionNotices, carryOut } from '../service/actions.ts';
import type { Deed } from '../service/actions.ts';
import { appealUpheld } from '../service/appeals.ts';
import { appendAudit } from '../service/audit.ts';
import { holdTarget } from '../service/effects.ts';
import type { Held } from '../service/effects.ts';
import { reportActioned } from '../service/reports.ts';
import { findBeforeRemoval, findReport, findTargets } from '../queries/index.ts';
import { requireOfOthers, whyNothing, wishFaults } from '../rules/actions.ts';

type Body = BodyOf<typeof operations.createModerationAction>;

/** An action by a moderator; an action by the operator has no moderator. */
type Moderators = Deed & { readonly moderatorId: string };

type Refuse = Problems<'not-found' | 'forbidden' | 'conflict'>;

function deedOf(body: Body, moderatorId: string, now: Date): Moderators {
  return {
    id: newId(bucketOf(body.target_id), now.getTime()),
    targetType: body.target_type,
    targetId: body.target_id,
    action: body.action,
    source: body.source,
    reasonCode: body.reason_code,
    reasonText: body.reason_text ?? null,
    reportId: body.report_id ?? null,
    moderatorId,
    at: timestamp(now),
    now,
  };
}

/** Returns whether the report is on the target or, for a principal, on one of its works. */
async function isAbout(tx: Tx, deed: Deed, reportId: string): Promise<boolean> {
  const report = await findReport(tx, keyOf(reportId));
  if (report === undefined) return false;
  if (report.target_type === deed.targetType && report.target_id === deed.targetId) return true;
  if (deed.targetType !== 'principal') return false;
  const targets = await findTargets(tx, [report]);
  return targets(report)?.author_id === deed.targetId;
}

type Tell = (notice: NewEvent) => void;

/** @throws validation-failed, conflict */
async function closeReport(tx: Tx, deed: Moderators, problem: Refuse, tell: Tell): Promise<void> {
  const { reportId, moderatorId, id: actionId, now } = deed;
  if (reportId === null) return;
  const outcome = (await isAbout(tx, deed, reportId))
    ? await reportActioned(tx, { reportId, moderatorId, actionId, now, tell })
    : 'missing';
  if (outcome === 'missing') {
    const detail = 'does not name a report on this target: send the id of one, or leave it out';
    throw invalid([{ pointer: '/report_id', code: 'unknown', detail }]);
  }
  if (outcome === 'closed') {
    throw problem(
      'conflict',
      'The report is already closed, or another moderator has claimed it. Read it again with GET /v1/moderation/reports.',
    );
  }
}

/** @throws conflict, forbidden */
async function upholdAppeals(tx: Tx, deed: Moderators, problem: Refuse, tell: Tell): Promise<void> {
  if (deed.source !== 'appeal') return;
  const { id: actionId, ...rest } = deed;
  const outcome = await appealUpheld(tx, { ...rest, actionId, tell });
  if (outcome === 'missing')
    throw problem('conflict', 'No appeal against an action on this target is open.');
  if (outcome === 'own') {
    throw problem(
      'forbidden',
      'You took the action or are a party to it: another moderator must decide the appeal.',
    );
  }
}

/** @throws not-found, forbidden */
function requireTarget(
  problem: Refuse,
  held: Held | undefined,
  { moderatorId }: Moderators,
  isAdmin: boolean,
): asserts held is Held {
  if (held === undefined)
    throw problem('not-found', 'No object of this target_type has the id target_id.');
  requireOfOthers(problem, held.target, moderatorId);
  if (isAdmin) {
    throw problem(
      'forbidden',
      'The target is an administrator. Moderators cannot act on administrators: ask the operator.',
    );
  }
}

export const createModerationAction = implement(
  operations.createModerationAction,
  async (_, { body }) => {
    const faults = wishFaults(body);
    if (faults.length > 0) throw invalid(faults);
  },
)(async ({ tx, caller, problem, now, afterwards }, { body }) => {
  const deed = deedOf(body, caller.id, now);
  const { targetType: type, targetId: id, action } = deed;
  const bucket = bucketOf(id);
  const [held, isAdmin, before] = await Promise.all([
    holdTarget(tx, type, id),
    type === 'principal' && isAdministrator(tx, id, now),
    action === 'restore' ? findBeforeRemoval(tx, { bucket, type, id }) : undefined,
    holdScope(tx, caller, 'admin:moderate', now),
  ]);
  requireTarget(problem, held, deed, isAdmin);
  const notices: NewEvent[] = [];
  const tell: Tell = (notice) => notices.push(notice);
  await closeReport(tx, deed, problem, tell);
  await upholdAppeals(tx, deed, problem, tell);
  const done = carryOut(tx, held, deed, before);
  if (done === undefined) throw problem('conflict', whyNothing(deed, held.target));
  const { reason_code, source, report_id, created_at } = done.action;
  await appendAudit(tx, {
    actor: caller.id,
    action,
    target_type: type,
    target_id: id,
    details: {
      action_id: deed.id,
      reason_code,
      source,
      ...(report_id === null ? {} : { report_id }),
    },
    created_at,
  });
  appendEvent(tx, [...actionNotices(done.action, held), ...notices], now);
  // The status is committed before the wait: an account that writes constantly could not be suspended otherwise.
  if (action === 'suspend') afterwards((db) => db.transaction((later) => waitForWrites(later, id)));
  return { status: 201, body: done.action };
});
