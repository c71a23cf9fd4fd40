// legal-removal ARTICLE_ID REASON_CODE | --restore: removes an article for legal reasons.
import { reasonCodes } from '@colophon/contract';
import type { ReasonCode } from '@colophon/contract';
import type { Tx } from '#database';
import { isId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { actAsOperator, appendAudit, legalActsOf, liftLegalRemoval } from '#moderation';
import type { OperatorOutcome } from '#moderation';
import type { Services } from '#services';
import { descriptions, requireAtMost } from './command.ts';
import type { Command } from './command.ts';
import { isReasonCode } from './reason-code.ts';

const { usage } = descriptions['legal-removal'];

interface Act {
  readonly action: 'legal-removal' | 'legal-restore';
  readonly details: Readonly<Record<string, unknown>>;
  readonly message: string;
  /** What is recorded in the ledger after the commit. */
  readonly row: OperatorOutcome['action'];
  /** Notifies the author; called after everything else is written. */
  readonly notify: () => void;
}

async function remove(tx: Tx, id: string, reasonCode: ReasonCode, now: Date): Promise<Act> {
  const {
    action: row,
    before,
    after,
    notify,
  } = await actAsOperator(tx, {
    ...operatorAction(id, now),
    action: 'remove',
    reasonCode,
  });
  if (before === undefined) throw new Error(`No article has the id ${id}.`);
  if (after === undefined)
    throw new Error(
      'The article is already removed for legal reasons. To restore it: legal-removal ID --restore',
    );
  const { status, removed_at, reason_code, deindexed: isDeindexed } = before;
  return {
    action: 'legal-removal',
    details: {
      reason_code: reasonCode,
      before: { status, removed_at, reason_code, deindexed: isDeindexed },
    },
    message: `${id}: was ${status}, now returns 451 (${reasonCode}).`,
    row,
    notify,
  };
}

async function restore(tx: Tx, id: string, now: Date): Promise<Act> {
  const requested = {
    ...operatorAction(id, now),
    action: 'restore' as const,
    reasonCode: 'other' as const,
  };
  const done = await actAsOperator(tx, requested, liftLegalRemoval);
  const { before, after, notify } = done;
  if (before === undefined) throw new Error(`No article has the id ${id}.`);
  if (!before.removed_legally || after === undefined)
    throw new Error('The article is not removed for legal reasons: there is nothing to restore.');
  return {
    action: 'legal-restore',
    details: { status: after.status, deindexed: after.deindexed },
    message: `${id}: no longer removed for legal reasons, now ${after.status}${after.deindexed ? ', de-indexed' : ''}.`,
    row: done.action,
    notify,
  };
}

function operatorAction(targetId: string, now: Date) {
  return {
    targetType: 'article' as const,
    targetId,
    source: 'legal' as const,
    at: timestamp(now),
    now,
  };
}

/** Performs the action and appends its audit entry, in one transaction; then records it in the ledger. */
async function removeOrRestore(
  { db, now, ledger }: Services,
  id: string,
  input: ReasonCode | '--restore',
): Promise<string> {
  const at = now();
  const done = await db.transaction(async (tx) => {
    const act = input === '--restore' ? await restore(tx, id, at) : await remove(tx, id, input, at);
    await appendAudit(tx, {
      actor: 'operator',
      action: act.action,
      target_type: 'article',
      target_id: id,
      details: act.details,
      created_at: timestamp(at),
    });
    act.notify();
    return act;
  });
  await ledger.append(done.row === undefined ? [] : legalActsOf(done.row)).catch((cause: Error) => {
    const later = 'the server records it in the ledger when the media store answers again';
    throw new Error(`${done.message} The media store does not answer: ${later}.`, { cause });
  });
  return done.message;
}

export const legalRemoval: Command = (args) => {
  requireAtMost(2, args, 'legal-removal');
  const [id, input] = args;
  if (id === undefined || input === undefined || !isId(id))
    throw new Error(`Name the article and the reason: ${usage}`);
  if (input !== '--restore' && !isReasonCode(input))
    throw new Error(`${input} is not a reason code: use one of ${reasonCodes.join(', ')}.`);
  return async ({ services, stdout }) => {
    const message = await removeOrRestore(services, id, input);
    stdout.write(`${message}\n`);
    return 0;
  };
};
