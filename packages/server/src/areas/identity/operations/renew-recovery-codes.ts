// POST /-/recovery-codes: new recovery codes; the old ones stop working.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { lockPasskeys, replaceRecoveryCodes } from '../queries/index.ts';
import { mintRecoveryCodes } from '../rules/sessions.ts';
import { requireCheck } from '../service/checks.ts';

export const renewRecoveryCodes = implement(ceremonies.renewRecoveryCodes)(async ({
  tx,
  caller,
  now,
}) => {
  requireCheck(caller, await lockPasskeys(tx, caller), now);
  const { codes, hashes } = mintRecoveryCodes();
  void replaceRecoveryCodes(tx, caller, hashes);
  return { status: 201, body: { recovery_codes: [...codes] } };
});
