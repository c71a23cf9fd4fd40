// Closes an account in one transaction: by its holder, or again after a restore of an older backup.
import type { Treatment } from '@colophon/contract';
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import type { SubscriberServices } from '#outbox';
import { principalChanged, principalClosed } from '../outbox.ts';
import {
  deleteSignIns,
  deleteTokens,
  insertPseudonyms,
  listNotClosed,
  lockAgents,
  lockNotClosed,
  setAgentKeysRevoked,
  setAgentsSuspended,
  setClosed,
  setNamesReserved,
} from '../queries/index.ts';
import type { LockedAgent, NameKey } from '../queries/index.ts';
import { nameReservedUntil, newPseudonym, usernameKey } from '../rules/username.ts';

interface Leaver extends RowKey {
  readonly username: string;
}

/**
 * Reserves the names of the account and its agents and replaces them with pseudonyms. A pseudonym can be
 * found by name only where the works stay.
 */
function rename(
  tx: Tx,
  { leaver, agents, treatment, now, closedAt = now }: Leaving,
): { readonly pseudonym: string; readonly agents: { id: string; pseudonym: string }[] } {
  const renamed = [leaver, ...agents].map(({ id, username }) => ({
    id,
    pseudonym: newPseudonym(),
    nameKey: usernameKey(id, username),
  }));
  const given: NameKey[] = renamed.map(({ nameKey }) => nameKey);
  void setNamesReserved(tx, given, nameReservedUntil(closedAt));
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
  /** When it was closed, if that is repeated; otherwise `now`. */
  readonly closedAt?: Date;
}

/** Closes an account that the caller has locked. Returns its agents as they were, and how many tokens ended. */
export async function closeAccount(
  tx: Tx,
  closing: Omit<Leaving, 'agents'> & { readonly reason: string | null },
): Promise<{ readonly agents: readonly LockedAgent[]; readonly revoked: number }> {
  const { leaver, treatment, reason, now, closedAt = now } = closing;
  const { bucket, id } = leaver;
  const agents = await lockAgents(tx, leaver);
  const agentIds = agents.map((agent) => agent.id);
  const names = rename(tx, { leaver, agents, treatment, now, closedAt });
  void setClosed(tx, { bucket, id, pseudonym: names.pseudonym, treatment, reason, closedAt });
  void setAgentsSuspended(tx, bucket, names.agents, closedAt);
  void setAgentKeysRevoked(tx, bucket, agentIds, now);
  const revoked = deleteTokens(tx, leaver, now);
  void deleteSignIns(tx, leaver);
  principalClosed(tx, leaver, treatment, now);
  for (const changed of [id, ...agentIds]) principalChanged(tx, { bucket, id: changed }, now);
  return { agents, revoked: await revoked };
}

/**
 * Closes those of these accounts, which the ledger names with the time of the closing, that the database has
 * open, because it was restored from a backup older than the closing. Returns their ids.
 */
export async function closeAgain(
  { db, now }: Pick<SubscriberServices, 'db' | 'now'>,
  times: ReadonlyMap<string, Date>,
): Promise<readonly string[]> {
  const closed: string[] = [];
  for (const id of await listNotClosed(db, [...times.keys()])) {
    const closedAt = times.get(id) ?? now();
    const isClosed = await db.transaction(async (tx) => {
      // Another host may have been faster.
      const leaver = await lockNotClosed(tx, keyOf(id));
      if (leaver === undefined) return false;
      await closeAccount(tx, { leaver, treatment: 'erase', reason: null, now: now(), closedAt });
      return true;
    });
    if (isClosed) closed.push(id);
  }
  return closed;
}
