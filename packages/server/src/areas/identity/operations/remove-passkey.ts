// DELETE /-/passkeys/{id}: removes a passkey; the last one stays, because its owner could not sign in without it.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { deletePasskey, deleteOtherChecks, lockPasskeys } from '../queries/index.ts';
import { requireCheck, requireSession } from '../service/checks.ts';
import { unknownOwnPasskey } from '../service/passkeys.ts';

export const removePasskey = implement(ceremonies.removePasskey)(async (
  { tx, caller, problem, now },
  { params },
) => {
  const [count, sessionId] = await Promise.all([
    lockPasskeys(tx, caller),
    requireSession(tx, caller),
  ]);
  requireCheck(caller, count, now);
  if ((await deletePasskey(tx, caller, params.id)) === 0) throw unknownOwnPasskey();
  if (count === 1) throw problem('conflict', 'This is your only passkey. Add another one first.');
  // Anyone who took the passkey may have confirmed with it just now, and would add another one.
  void deleteOtherChecks(tx, caller, sessionId);
  return { status: 204, body: undefined };
});
