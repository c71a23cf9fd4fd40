// Opening a session: the row, and the secret that the browser keeps in a cookie.
import { sessionLimits } from '@colophon/contract';
import type { Tx } from '#database';
import type { Browser, Caller, LastUse, NewSessionCookie } from '#http';
import { mintSecret } from '#lib/bucket-secret';
import { newId } from '#lib/id';
import type { RowKey } from '#lib/id';
import {
  deleteSession,
  insertSession,
  setSessionsUsed as writeSessionUses,
} from '../queries/index.ts';
import { sessionEnd } from '../rules/sessions.ts';
import { deviceOf, networkOf } from './browsers.ts';

interface Opening {
  /** Whose session the request came with, if any: it ends (rotation). */
  readonly caller: Caller | null;
  readonly browser: Browser;
  readonly now: Date;
  /** The token whose link opens it, if one does. */
  readonly tokenId?: string | null;
  /** Whether a passkey opens it. */
  readonly isChecked: boolean;
}

/**
 * Opens a session of an account that is locked. Each has a new secret, even where the browser sent one: a
 * secret that somebody planted there never becomes a session (session fixation).
 */
export function openSession(
  tx: Tx,
  account: RowKey,
  { caller, browser, now, isChecked, tokenId = null }: Opening,
): NewSessionCookie {
  if (caller !== null && caller.session !== null) void deleteSession(tx, caller, caller.session.id);
  const { text, hash } = mintSecret(account.bucket);
  const expiresAt = sessionEnd(now);
  void insertSession(tx, {
    bucket: account.bucket,
    id: newId(account.bucket, now.getTime()),
    principalId: account.id,
    hash,
    device: deviceOf(browser.userAgent),
    network: networkOf(browser.address),
    tokenId,
    isChecked,
    now,
    expiresAt,
    max: sessionLimits.sessions_max,
  });
  return { secret: text, expiresAt };
}

/** Stores the last uses of sessions, with the network of each. */
export function setSessionsUsed(tx: Tx, uses: ReadonlyMap<string, LastUse>): Promise<number> {
  const withNetworks = Array.from(uses, ([id, { at, address = '' }]) => {
    return [id, { at, network: networkOf(address) }] as const;
  });
  return writeSessionUses(tx, new Map(withNetworks));
}
