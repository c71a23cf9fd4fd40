// POST /-/check: the session counts as checked for the next minutes.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { findPasskey, setPasskeyUsed, setSessionChecked } from '../queries/index.ts';
import {
  claimedOwner,
  ended,
  endCeremony,
  requireCeremony,
  unknownPasskey,
  verifyUse,
} from '../service/passkeys.ts';

export const finishCheck = implement(
  ceremonies.finishCheck,
  async ({ db, caller, config, now }, { body }) => {
    const { credentialId } = claimedOwner(body.credential);
    const [ceremony, known] = await Promise.all([
      requireCeremony(db, body.ceremony_id, 'check', now),
      findPasskey(db, caller, credentialId),
    ]);
    if (ceremony.principal_id !== caller.id) throw ended();
    if (known === undefined) throw unknownPasskey();
    return { known, use: await verifyUse(config, ceremony, body.credential, known) };
  },
)(async ({ tx, caller, now }, { body }, { known, use }) => {
  const { bucket, session } = caller;
  if (session !== null) void setSessionChecked(tx, { bucket, id: session.id }, now);
  const [used] = await Promise.all([
    setPasskeyUsed(tx, { bucket, id: known.id }, { ...use, now }),
    endCeremony(tx, body.ceremony_id),
  ]);
  if (used === 0) throw unknownPasskey();
  return { status: 204, body: undefined };
});
