// POST /v1/principals/{id}/close: closes the account at once; the pipeline treats its works.
import { operations } from '@colophon/contract';
import type { Treatment } from '@colophon/contract';
import type { Tx } from '#database';
import { implement } from '#http';
import type { Problems } from '#http';
import { bucketOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { newPseudonym } from '../rules/pseudonym.ts';
import { timestamp } from '#lib/timestamp';
import { principalChanged, principalClosed } from '../outbox.ts';
import {
  deleteSignIns,
  deleteTokens,
  findPrincipal,
  insertPseudonyms,
  lockAgents,
  setAgentKeysRevoked,
  setAgentsSuspended,
  setClosed,
  setNamesReserved,
} from '../queries/index.ts';
import type { LockedAgent, NameKey } from '../queries/index.ts';
import { usernameKey, nameReservedUntil } from '../rules/username.ts';
import { requireFreshCheck } from '../service/checks.ts';

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

interface Leaver extends RowKey {
  readonly username: string;
}

/**
 * Reserves the names of the account and its agents and replaces them with pseudonyms. A pseudonym can be
 * found by name only where the works stay.
 */
function rename(
  tx: Tx,
  { leaver, agents, treatment, now }: Leaving,
): { readonly pseudonym: string; readonly agents: { id: string; pseudonym: string }[] } {
  const renamed = [leaver, ...agents].map(({ id, username }) => ({
    id,
    pseudonym: newPseudonym(),
    nameKey: usernameKey(id, username),
  }));
  const given: NameKey[] = renamed.map(({ nameKey }) => nameKey);
  void setNamesReserved(tx, given, nameReservedUntil(now));
  if (treatment === 'pseudonymise') {
    const found = renamed.map(({ id, pseudonym }) => ({
      ...usernameKey(id, pseudonym),
      username: pseudonym,
    }));
    void insertPseudonyms(tx, found, now);
  }
  const [own, ...others] = renamed;
  return { pseudonym: own?.pseudonym ?? newPseudonym(), agents: others };
}

interface Leaving {
  readonly leaver: Leaver;
  readonly agents: readonly LockedAgent[];
  readonly treatment: Treatment;
  readonly now: Date;
}

export const closePrincipal = implement(operations.closePrincipal)(
  async ({ tx, caller, problem, now }, { params, body }) => {
    if (params.id !== caller.id) throw await refusal(tx, params.id, problem);
    await requireFreshCheck(tx, caller, now);
    const { bucket, id } = caller;
    const treatment = body.articles;
    const agents = await lockAgents(tx, caller);
    const agentIds = agents.map((agent) => agent.id);
    const names = rename(tx, { leaver: caller, agents, treatment, now });
    const { pseudonym } = names;
    void setClosed(tx, { bucket, id, pseudonym, treatment, reason: body.reason ?? null, now });
    void setAgentsSuspended(tx, bucket, names.agents, now);
    void setAgentKeysRevoked(tx, bucket, agentIds, now);
    const revoked = deleteTokens(tx, caller, now);
    void deleteSignIns(tx, caller);
    principalClosed(tx, caller, treatment, now);
    for (const changed of [id, ...agentIds]) principalChanged(tx, { bucket, id: changed }, now);
    return {
      status: 200,
      body: {
        principal_id: id,
        tokens_revoked: await revoked,
        agents_suspended: agents.filter(({ status }) => status === 'active').length,
        articles: treatment,
        username_reserved_until: timestamp(nameReservedUntil(now)),
      },
    };
  },
  {},
  { alone: true },
);
