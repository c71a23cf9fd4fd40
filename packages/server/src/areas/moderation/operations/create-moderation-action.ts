// POST /v1/moderation/actions: carries out an action, records it, and notifies the owner of the target.
import { operations } from '@colophon/contract';
import type { BodyOf } from '@colophon/contract';
import type { Tx } from '#database';
import { appendEvent } from '#event-log';
import type { NewEvent } from '#event-log';
import { implement, invalid } from '#http';
import type { Problems } from '#http';
import type { Ledger, LegalAct } from '#ledger';
import { isAdministrator, lockScope, lockWithAgents } from '#identity';
import { bucketOf, isId, keyOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { existsReportOn, findBeforeRemoval } from '../queries/index.ts';
import { requestFaults, requireImpartialAct, whyNoChange } from '../rules/actions.ts';
import { actionEvents, carryOut, legalActsOf, lockTarget } from '../service/actions.ts';
import type { Locked, NewAction } from '../service/actions.ts';
import { appendAudit } from '../service/audit.ts';
import {
  closeReport,
  closeReportsOnTarget,
  newIdInTurn,
  upholdOpenAppeals,
} from '../service/reviews.ts';

type Body = BodyOf<typeof operations.createModerationAction>;

/** An action by a moderator; an action by the operator has no moderator. */
type ByModerator = NewAction & {
  readonly moderatorId: string;
  /** The appeal that it upholds, if the moderator names one. */
  readonly appealId: string | null;
};

type Refuse = Problems<'not-found' | 'forbidden' | 'conflict'>;

function newAction(body: Body, moderatorId: string, now: Date): ByModerator {
  return {
    id: newIdInTurn(bucketOf(body.target_id), now),
    targetType: body.target_type,
    targetId: body.target_id,
    action: body.action,
    source: body.source,
    reasonCode: body.reason_code,
    reasonText: body.reason_text ?? null,
    reportId: body.report_id ?? null,
    appealId: body.appeal_id ?? null,
    moderatorId,
    at: timestamp(now),
    now,
  };
}

/** @throws not-found, forbidden */
function requireTarget(
  problem: Refuse,
  locked: Locked | undefined,
  { moderatorId }: ByModerator,
  isAdmin: boolean,
): asserts locked is Locked {
  if (locked === undefined)
    throw problem('not-found', 'No object of this target_type has the id target_id.');
  requireImpartialAct(problem, locked.target, moderatorId);
  if (isAdmin) {
    throw problem(
      'forbidden',
      'The target has an admin scope. Ask an administrator to remove it first, or the operator to suspend the account.',
    );
  }
}

type Notify = (event: NewEvent) => void;

interface Closing {
  /** Whether the other reports on the same object are closed too. */
  readonly all: boolean;
  readonly notify: Notify;
}

/** Returns the number of reports closed. @throws validation-failed, conflict */
async function closeReports(
  tx: Tx,
  action: ByModerator,
  problem: Refuse,
  { all, notify }: Closing,
): Promise<number> {
  const { reportId, moderatorId, id: actionId, targetType: type, targetId, now } = action;
  if (reportId === null) return 0;
  const target = { bucket: bucketOf(targetId), type, id: targetId };
  const close = all ? closeReportsOnTarget : closeReport;
  const outcome =
    isId(reportId) && (await existsReportOn(tx, keyOf(reportId), target))
      ? await close(tx, { reportId, moderatorId, actionId, now, notify })
      : 'missing';
  if (outcome === 'missing') {
    const detail = 'does not name a report on this target: send the id of one, or leave it out';
    throw invalid([{ pointer: '/report_id', code: 'unknown', detail }]);
  }
  if (outcome === 'closed') {
    throw problem(
      'conflict',
      'The report is already closed, or another moderator has claimed it. Read the report again, or choose another one.',
    );
  }
  return outcome === 'done' ? 1 : outcome;
}

/** @throws conflict, forbidden */
async function upholdAppeals(tx: Tx, action: ByModerator, problem: Refuse, notify: Notify) {
  if (action.source !== 'appeal') return;
  const { id: actionId, ...rest } = action;
  const outcome = await upholdOpenAppeals(tx, { ...rest, actionId, notify });
  if (outcome === 'missing') {
    throw problem(
      'conflict',
      action.appealId === null
        ? 'No appeal against an action on this target is open.'
        : 'The appeal that appeal_id names is not on this target, or was decided before. Read it again.',
    );
  }
  if (outcome === 'own') {
    throw problem(
      'forbidden',
      'You took the action or are a party to it: another moderator must decide the appeal.',
    );
  }
}

/** Resolves when a restore of an older backup would respect the action. @throws unavailable */
async function recordLegalActs(
  ledger: Ledger,
  acts: readonly LegalAct[],
  problem: Problems<'unavailable'>,
): Promise<void> {
  await ledger.append(acts).catch((cause: Error) => {
    const refused = problem(
      'unavailable',
      'The action is carried out, but the media store, which must remember it for backups, did not answer. The service writes it there as soon as the store answers again.',
      { retry_after_seconds: 5 },
    );
    throw Object.assign(refused, { cause });
  });
}

export const createModerationAction = implement(
  operations.createModerationAction,
  async (_, { body }) => {
    const faults = requestFaults(body);
    if (faults.length > 0) throw invalid(faults);
  },
)(async ({ tx, caller, problem, now, ledger, afterwards }, { body }) => {
  const { target_type: type, target_id: id, action } = body;
  const bucket = bucketOf(id);
  const [locked, isAdmin, before] = await Promise.all([
    lockTarget(tx, type, id),
    type === 'principal' && isAdministrator(tx, id, now),
    action === 'restore' ? findBeforeRemoval(tx, { bucket, type, id }) : undefined,
    lockScope(tx, caller, 'admin:moderate', now),
  ]);
  const requested = newAction(body, caller.id, now);
  requireTarget(problem, locked, requested, isAdmin);
  const events: NewEvent[] = [];
  const notify: Notify = (event) => events.push(event);
  const all = body.all_reports === true;
  const closed = await closeReports(tx, requested, problem, { all, notify });
  await upholdAppeals(tx, requested, problem, notify);
  const done = carryOut(tx, locked, requested, before);
  if (done === undefined) throw problem('conflict', whyNoChange(requested, locked.target));
  const { reason_code, source, report_id, created_at } = done.action;
  await appendAudit(tx, {
    actor: caller.id,
    action,
    target_type: type,
    target_id: id,
    details: {
      action_id: requested.id,
      reason_code,
      source,
      ...(report_id === null ? {} : { report_id }),
      ...(all ? { reports_closed: closed } : {}),
    },
    created_at,
  });
  appendEvent(tx, [...actionEvents(done.action, locked), ...events], now);
  // The status is committed before the wait: an account that writes constantly could not be suspended otherwise.
  if (action === 'suspend') {
    afterwards(async (db) => {
      await db.transaction((later) => lockWithAgents(later, { bucket, id }));
    });
  }
  const legal = legalActsOf(done.action);
  if (legal.length > 0) afterwards(() => recordLegalActs(ledger, legal, problem));
  return { status: 201, body: done.action };
});
