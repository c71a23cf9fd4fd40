// POST /-/passkeys: stores one more passkey.
import { ceremonies, ordinaryScopes } from '@colophon/contract';
import type { Tx } from '#database';
import { implement, invalid, problem } from '#http';
import type { Caller } from '#http';
import { newId } from '#lib/id';
import {
  deleteOtherSignIns,
  findTokenOfSession,
  insertPasskey,
  listGrantedScopes,
  lockPasskeys,
  lockScopes,
  setSessionChecked,
  setUsed,
} from '../queries/index.ts';
import { lineFaults } from '../rules/username.ts';
import { deviceOf } from '../service/browsers.ts';
import { adminScopes, endedSession, requireCheck, requireSession } from '../service/checks.ts';
import {
  endedProblem,
  endCeremony,
  requireCeremony,
  requirePasskeyRoom,
  verifyCreation,
} from '../service/passkeys.ts';
import { passkeyRecord } from '../views.ts';

/**
 * Requires that a session can do all that its account can, before its first passkey lets it: otherwise a token
 * with fewer scopes, or one that expires, becomes the whole account. The token is locked until the commit.
 * @throws forbidden, unauthenticated
 */
async function requireWholeAccount(
  tx: Tx,
  caller: Caller,
  sessionId: string,
  now: Date,
): Promise<void> {
  const { bucket } = caller;
  const token = await findTokenOfSession(tx, { bucket, id: sessionId });
  if (token === undefined) return;
  const [carried, admin] = await Promise.all([
    lockScopes(tx, { bucket, id: token.id }, now),
    listGrantedScopes(tx, caller, adminScopes, now),
  ]);
  if (carried === undefined) throw endedSession();
  const missing = [...ordinaryScopes, ...admin].filter((scope) => !carried.includes(scope));
  if (missing.length === 0 && token.expires_at === null) return;
  const lacks = missing.length > 0 ? `lacks ${missing.join(', ')}` : 'expires';
  throw problem(
    'forbidden',
    `A passkey opens the whole account, and the token whose link you used ${lacks}. Open a link of a token that has every scope of the account and does not expire.`,
  );
}

export const addPasskey = implement(
  ceremonies.addPasskey,
  async ({ db, caller, config, now }, { body }) => {
    const ceremony = await requireCeremony(db, body.ceremony_id, 'passkey', now);
    if (ceremony.principal_id !== caller.id) throw endedProblem();
    return verifyCreation(config, ceremony, body.credential);
  },
)(
  async ({ tx, caller, now, browser }, { body }, passkey) => {
    const { bucket, id: principalId } = caller;
    const faults = lineFaults({ name: body.name });
    if (faults.length > 0) throw invalid(faults);
    const [count, sessionId] = await Promise.all([
      lockPasskeys(tx, caller),
      requireSession(tx, caller),
    ]);
    requirePasskeyRoom(count);
    requireCheck(caller, count, now);
    if (count === 0) await requireWholeAccount(tx, caller, sessionId, now);
    await endCeremony(tx, body.ceremony_id);
    const name = body.name ?? deviceOf(browser.userAgent);
    const id = newId(bucket, now.getTime());
    const row = { ...passkey, bucket, id, principalId, name, now };
    void insertPasskey(tx, row);
    void setUsed(tx, caller);
    // Somebody who had only a token may have prepared these.
    if (count === 0) void deleteOtherSignIns(tx, caller, sessionId);
    // The owner of the passkey was verified just now.
    void setSessionChecked(tx, { bucket, id: sessionId }, now);
    return { status: 201, body: passkeyRecord(row) };
  },
  {
    passkeys_principal_id_credential_id_key: () =>
      problem('conflict', 'Your account has this passkey already. Use another device or key.'),
  },
);
