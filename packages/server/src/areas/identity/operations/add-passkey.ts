// POST /-/passkeys: stores one more passkey.
import { ceremonies } from '@colophon/contract';
import { implement, invalid, problem } from '#http';
import { newId } from '#lib/id';
import {
  deleteOtherSignIns,
  insertPasskey,
  lockPasskeys,
  setSessionChecked,
  setUsed,
} from '../queries/index.ts';
import { lineFaults } from '../rules/username.ts';
import { deviceOf } from '../service/browsers.ts';
import { requireCheck, requirePasskeyRoom, requireSession } from '../service/checks.ts';
import { requireWholeAccount } from '../service/scopes.ts';
import { endedProblem, endCeremony, requireCeremony, verifyCreation } from '../service/passkeys.ts';
import { passkeyRecord } from '../views.ts';

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
