// GET /-/passkeys: the caller’s passkeys, and how many recovery codes are left.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { countRecoveryCodes, listPasskeys as findPasskeys } from '../queries/index.ts';

export const listPasskeys = implement(ceremonies.listPasskeys)(async ({ db, caller }) => {
  const [passkeys, left] = await Promise.all([
    findPasskeys(db, caller),
    countRecoveryCodes(db, caller),
  ]);
  return { status: 200, body: { items: [...passkeys], recovery_codes_left: left } };
});
