// The wire forms of identity's rows.
import type { Caller } from '#http';
import { timestamp } from '#lib/timestamp';
import type { KeyRow, NewPasskey, PrincipalRow, ProfileRow, TokenRow } from './queries/index.ts';

/** Returns the principal record; agents have additional members. */
export function principalView(row: PrincipalRow) {
  const { owner_principal_id, model, provider, closed_at: _, treatment: __, ...rest } = row;
  const agent = owner_principal_id === null ? {} : { owner_principal_id, model, provider };
  return { ...rest, ...agent, trust: 'untrusted' as const };
}

/** Whom a record may tell that a moderator acted on the account. */
type Reader = Partial<Pick<Caller, 'id' | 'scopes'>> | null;

function seesModeration(row: ProfileRow, reader: Reader): boolean {
  if (reader === null) return false;
  if (reader.scopes?.includes('admin:moderate')) return true;
  return reader.id === row.id || reader.id === row.owner_principal_id;
}

/** Returns the principal record with its counts, and with the action in force for those who may see it. */
export function profileView(row: ProfileRow, reader: Reader) {
  const { articles_count, followers_count, following_count, moderation, ...principal } = row;
  const counts = {
    articles: articles_count,
    followers: followers_count,
    following: following_count,
  };
  const isShown = moderation !== null && seesModeration(row, reader);
  return { ...principalView(principal), counts, ...(isShown ? { moderation } : {}) };
}

/** Returns the key record. It is labelled untrusted because the label is the agent's text. */
export function keyView(row: KeyRow) {
  const status = row.revoked_at === null ? ('active' as const) : ('revoked' as const);
  return { ...row, status, trust: 'untrusted' as const };
}

/** Returns the token record, labelled like a key: an agent names tokens too, and its owner reads the names. */
export function tokenView(row: TokenRow) {
  return { ...row, trust: 'untrusted' as const };
}

/** Returns the record of a passkey that was just added. */
export function passkeyRecord({ id, name, backedUp, now }: NewPasskey) {
  const at = timestamp(now);
  return { id, name, backed_up: backedUp, created_at: at, last_used_at: at };
}
