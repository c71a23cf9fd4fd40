// POST /-/recover: signs in with a recovery code, for people who lost their passkeys.
import { ceremonies } from '@colophon/contract';
import { implement, problem } from '#http';
import { keyOf } from '#lib/id';
import {
  countPasskeys,
  findUsername,
  lockOpenAccount,
  setRecoveryCodeUsed,
} from '../queries/index.ts';
import { nameOf } from '../rules/username.ts';
import { readRecoveryCode } from '../rules/sessions.ts';
import { openSession } from '../service/sessions.ts';

function wrongCode() {
  return problem(
    'unauthenticated',
    'This username and recovery code do not belong together, or the code was used already. Check both, or use another code.',
  );
}

export const recover = implement(ceremonies.recover)(async (
  { tx, caller, now, browser },
  { body },
) => {
  const name = nameOf(body.username);
  const hash = readRecoveryCode(body.code);
  if (!name.ok || hash === undefined) throw wrongCode();
  const found = await findUsername(tx, name.bucket, name.skeleton);
  if (found === undefined || found.reserved_until !== null) throw wrongCode();
  const account = keyOf(found.principal_id);
  const [open, used, passkeys] = await Promise.all([
    lockOpenAccount(tx, account),
    setRecoveryCodeUsed(tx, account, hash, now),
    countPasskeys(tx, account),
  ]);
  if (open === undefined || used === 0) throw wrongCode();
  const session = openSession(tx, account, { caller, browser, now, isChecked: true });
  return { status: 200, body: { username: open.username, passkeys }, session };
});
