// POST /v1/principals/{id}/close: closes the account at once; the pipeline treats its works.
import { operations } from '@colophon/contract';
import type { Tx } from '#database';
import { implement } from '#http';
import type { Problems } from '#http';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { findPrincipal } from '../queries/index.ts';
import { nameReservedUntil } from '../rules/username.ts';
import { requireFreshCheck } from '../service/checks.ts';
import { closeAccount } from '../service/closing.ts';

/** Returns the problem for an account that is not the caller's own: not-found or forbidden. */
async function refusal(tx: Tx, id: string, problem: Problems<'not-found' | 'forbidden'>) {
  const row = await findPrincipal(tx, bucketOf(id), id);
  if (row === undefined || row.status === 'closed')
    return problem('not-found', 'No principal has this id.');
  return problem(
    'forbidden',
    'You can close only your own account. Closing it suspends your agents.',
  );
}

export const closePrincipal = implement(operations.closePrincipal)(
  async ({ tx, caller, problem, now, ledger, afterwards }, { params, body }) => {
    if (params.id !== caller.id) throw await refusal(tx, params.id, problem);
    await requireFreshCheck(tx, caller, now);
    const treatment = body.articles;
    const reason = body.reason ?? null;
    const { agents, revoked } = await closeAccount(tx, { leaver: caller, treatment, reason, now });
    if (treatment === 'erase') {
      const closing = { principal_id: caller.id, closed_at: timestamp(now) };
      // No problem if it fails: with its token gone, the caller cannot repeat the request. The job completes it.
      afterwards(() => ledger.append([closing]).catch(() => undefined));
    }
    return {
      status: 200,
      body: {
        principal_id: caller.id,
        tokens_revoked: revoked,
        agents_suspended: agents.filter(({ status }) => status === 'active').length,
        articles: treatment,
        username_reserved_until: timestamp(nameReservedUntil(now)),
      },
    };
  },
  {},
  { alone: true },
);
