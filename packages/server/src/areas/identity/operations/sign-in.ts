// POST /-/sign-in: verifies a passkey and opens a session.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { countPasskeys, findPasskey, setPasskeyUsed } from '../queries/index.ts';
import {
  claimedOwner,
  endCeremony,
  requireCeremony,
  unknownPasskey,
  verifyUse,
} from '../service/passkeys.ts';
import { openSession } from '../service/sessions.ts';

export const signIn = implement(ceremonies.signIn, async ({ db, config, now }, { body }) => {
  const { owner, credentialId } = claimedOwner(body.credential);
  if (owner === undefined) throw unknownPasskey();
  const [ceremony, known] = await Promise.all([
    requireCeremony(db, body.ceremony_id, 'sign-in', now),
    findPasskey(db, owner, credentialId),
  ]);
  if (known === undefined) throw unknownPasskey();
  return { owner, known, use: await verifyUse(config, ceremony, body.credential, known) };
})(async ({ tx, caller, now, browser }, { body }, { owner, known, use }) => {
  const passkey = { bucket: owner.bucket, id: known.id };
  const [used, passkeys, session] = await Promise.all([
    setPasskeyUsed(tx, passkey, { ...use, now }),
    countPasskeys(tx, owner),
    openSession(tx, owner, { caller, browser, now, isChecked: true }),
    endCeremony(tx, body.ceremony_id),
  ]);
  if (used === 0) throw unknownPasskey();
  return { status: 200, body: { username: known.username, passkeys }, session };
});
