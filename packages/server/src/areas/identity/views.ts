// Rows of identity as they look on the wire.
import type { PrincipalRow } from './queries.ts';

/** The principal record; the members of agents only for agents. */
export function principalView(row: PrincipalRow) {
  const { owner_principal_id, model, provider, ...rest } = row;
  const agent = owner_principal_id === null ? {} : { owner_principal_id, model, provider };
  return { ...rest, ...agent, trust: 'untrusted' as const };
}
