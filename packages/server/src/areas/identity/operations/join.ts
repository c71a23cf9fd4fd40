// POST /-/join: creates the account, its first passkey, its recovery codes and a session in one transaction.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { keyOf, newId } from '#lib/id';
import { principalChanged } from '../outbox.ts';
import {
  deleteLapsedUsername,
  insertPasskey,
  insertPerson,
  setRecoveryCodes,
} from '../queries/index.ts';
import { mintRecoveryCodes } from '../rules/sessions.ts';
import { deviceOf } from '../service/browsers.ts';
import { requireFreeName, takenName } from '../rules/reserved-usernames.ts';
import { endCeremony, requireCeremony, verifyCreation } from '../service/passkeys.ts';
import { openSession } from '../service/sessions.ts';

export const join = implement(ceremonies.join, async ({ db, config, now }, { body }) => {
  const ceremony = await requireCeremony(db, body.ceremony_id, 'join', now);
  const passkey = await verifyCreation(config, ceremony, body.credential);
  return { ceremony, passkey };
})(
  async ({ tx, caller, config, now, browser }, { body }, { ceremony, passkey }) => {
    const { principal_id: id, username: typed, display_name } = ceremony;
    const { bucket, username, skeleton } = requireFreeName(config, {
      username: typed ?? '',
      display_name,
    });
    const account = keyOf(id ?? '');
    await endCeremony(tx, body.ceremony_id);
    void deleteLapsedUsername(tx, { bucket, skeleton, now });
    void insertPerson(tx, { ...account, username, skeleton, displayName: display_name, now });
    const { codes, hashes } = mintRecoveryCodes();
    void insertPasskey(tx, {
      ...passkey,
      bucket,
      id: newId(bucket, now.getTime()),
      principalId: account.id,
      name: deviceOf(browser.userAgent),
      now,
    });
    void setRecoveryCodes(tx, account, hashes);
    principalChanged(tx, account, now);
    const session = openSession(tx, account, { caller, browser, now, isChecked: true });
    return { status: 201, body: { username, recovery_codes: [...codes] }, session };
  },
  { usernames_skeleton_pkey: takenName },
);
