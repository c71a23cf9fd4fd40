// Opening a session: the row, and the secret that the browser keeps in a cookie.
import type { Tx } from '#database';
import type { Browser, LastUse, NewSessionCookie } from '#http';
import { unauthenticated } from '#http';
import { mintSecret } from '#lib/bucket-secret';
import { newId } from '#lib/id';
import type { RowKey } from '#lib/id';
import { insertSession, setSessionsUsed as writeSessionUses } from '../queries/index.ts';
import { sessionEnd } from '../rules/sessions.ts';
import { deviceOf, networkOf } from './browsers.ts';

interface Opening {
  readonly browser: Browser;
  readonly now: Date;
  /** Whether a passkey opens it. */
  readonly isChecked: boolean;
}

/**
 * Opens a session of an account. Each has a new secret, also where the browser sent one: a secret that
 * somebody planted there never becomes a session (session fixation).
 * @throws unauthenticated: the account was closed meanwhile
 */
export async function openSession(
  tx: Tx,
  account: RowKey,
  { browser, now, isChecked }: Opening,
): Promise<NewSessionCookie> {
  const { text, hash } = mintSecret(account.bucket);
  const expiresAt = sessionEnd(now);
  const inserted = await insertSession(tx, {
    bucket: account.bucket,
    id: newId(account.bucket, now.getTime()),
    principalId: account.id,
    hash,
    device: deviceOf(browser.userAgent),
    network: networkOf(browser.address),
    isChecked,
    now,
    expiresAt,
  });
  if (inserted === 0) throw unauthenticated('This account was closed.', true);
  return { secret: text, expiresAt };
}

/** Stores the last uses of sessions, with the network of each. */
export function setSessionsUsed(tx: Tx, uses: ReadonlyMap<string, LastUse>): Promise<number> {
  const withNetworks = Array.from(uses, ([id, { at, address = '' }]) => {
    return [id, { at, network: networkOf(address) }] as const;
  });
  return writeSessionUses(tx, new Map(withNetworks));
}
