// suspend USERNAME [REASON_CODE | --lift]: suspends an account and its agents, or restores it.
import { reasonCodes } from '@colophon/contract';
import type { ReasonCode } from '@colophon/contract';
import type { Tx } from '#database';
import { lockWithAgents, principalNamed } from '#identity';
import { keyOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { actAsOperator, appendAudit } from '#moderation';
import type { OperatorOutcome } from '#moderation';
import type { Services } from '#services';
import { descriptions } from './command.ts';
import type { Command } from './command.ts';
import { isReasonCode } from './reason-code.ts';

const { usage } = descriptions.suspend;

export interface Suspension {
  readonly username: string;
  readonly principalId: string;
  readonly action: 'suspend' | 'restore';
  readonly reasonCode: ReasonCode;
  readonly now: Date;
}

/** Returns why the action had no effect. */
function obstacle({ username, action }: Suspension, before: OperatorOutcome['before']): string {
  if (before === undefined || before.status === 'closed') return 'This account is closed.';
  if (action === 'suspend') return `${username} is already suspended.`;
  if (before.status === 'active') return `${username} is not suspended.`;
  return `The owner of ${username} closed their account: ${username} stays suspended.`;
}

/**
 * Suspends an account on the operator's command, or restores it: an action of moderation like any other, with
 * an event for the account and an agent's owner, and an entry in the audit log.
 * @throws Error with a sentence: the account is closed, or already has the requested status
 */
export async function setSuspension(tx: Tx, input: Suspension): Promise<void> {
  const { principalId, action, reasonCode, now } = input;
  const at = timestamp(now);
  const { before, after, notify } = await actAsOperator(tx, {
    targetType: 'principal',
    targetId: principalId,
    action,
    reasonCode,
    source: 'proactive',
    at,
    now,
  });
  // Restoring can also undo actions other than a suspension.
  if (after === undefined || before?.status === after.status)
    throw new Error(obstacle(input, before));
  await appendAudit(tx, {
    actor: 'operator',
    action,
    target_type: 'principal',
    target_id: principalId,
    details: { reason_code: reasonCode },
    created_at: at,
  });
  notify();
}

/**
 * Parses the arguments.
 * @throws Error with a sentence
 */
function readArguments(args: readonly string[]) {
  const lift = args.includes('--lift');
  const [username, reasonCode = 'other', ...more] = args.filter((one) => one !== '--lift');
  const tooMany = more.length > 0 || (lift && args.length > 2);
  if (username === undefined || username.startsWith('-') || tooMany)
    throw new Error(`Name one account: ${usage}`);
  if (!isReasonCode(reasonCode))
    throw new Error(`${reasonCode} is not a reason code. There are ${reasonCodes.join(', ')}.`);
  return { username, reasonCode, action: lift ? ('restore' as const) : ('suspend' as const) };
}

async function suspendOrLift(
  { db, now }: Services,
  { username, reasonCode, action }: ReturnType<typeof readArguments>,
): Promise<string> {
  const principalId = await principalNamed(db, username);
  if (principalId === undefined) throw new Error(`No account has the username ${username}.`);
  const input = { username, principalId, action, reasonCode, now: now() };
  await db.transaction((tx) => setSuspension(tx, input));
  if (action === 'restore') return `${username}: no longer suspended.`;
  // The suspension is committed first: otherwise an account that never stops writing could not be suspended.
  await db.transaction((tx) => lockWithAgents(tx, keyOf(principalId)));
  return `${username}: suspended. The account and its agents can read but cannot write.`;
}

export const suspend: Command = (args) => {
  const asked = readArguments(args);
  return async ({ services, stdout }) => {
    stdout.write(`${await suspendOrLift(services, asked)}\n`);
    return 0;
  };
};
