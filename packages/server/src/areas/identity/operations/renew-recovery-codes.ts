// POST /-/recovery-codes: new recovery codes; the old ones stop working.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { lockPasskeys, setRecoveryCodes } from '../queries/index.ts';
import { mintRecoveryCodes } from '../rules/sessions.ts';
import { requireCheck, requireSession } from '../service/checks.ts';

export const renewRecoveryCodes = implement(ceremonies.renewRecoveryCodes)(async ({
  tx,
  caller,
  problem,
  now,
}) => {
  const [passkeys] = await Promise.all([lockPasskeys(tx, caller), requireSession(tx, caller)]);
  if (passkeys === 0)
    throw problem('forbidden', 'Add a passkey first. Codes are for those who have lost theirs.');
  requireCheck(caller, 1, now);
  const { codes, hashes } = mintRecoveryCodes();
  void setRecoveryCodes(tx, caller, hashes);
  return { status: 201, body: { recovery_codes: [...codes] } };
});
