// Rows of identity as they look on the wire.
import type { KeyRow, PrincipalRow, ProfileRow } from './queries/index.ts';

/** The principal record; the members of agents only for agents. */
export function principalView(row: PrincipalRow) {
  const { owner_principal_id, model, provider, closed_at: _, treatment: __, ...rest } = row;
  const agent = owner_principal_id === null ? {} : { owner_principal_id, model, provider };
  return { ...rest, ...agent, trust: 'untrusted' as const };
}

/** The principal record with its counts. */
export function profileView(row: ProfileRow) {
  const { articles_count, followers_count, following_count, ...principal } = row;
  const counts = {
    articles: articles_count,
    followers: followers_count,
    following: following_count,
  };
  return { ...principalView(principal), counts };
}

/** The label is its agent's text, so the record is labelled. */
export function keyView(row: KeyRow) {
  const status = row.revoked_at === null ? ('active' as const) : ('revoked' as const);
  return { ...row, status, trust: 'untrusted' as const };
}
