// POST /-/sign-in: verifies a passkey and opens a session.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { acceptUse, claimedOwner } from '../service/passkey-uses.ts';
import { library } from '../service/passkeys.ts';
import { openSession } from '../service/sessions.ts';

export const signIn = implement(
  ceremonies.signIn,
  library,
)(async ({ tx, caller, config, now, browser }, { body }) => {
  const account = claimedOwner(body.credential);
  const { username, passkeys } = await acceptUse(tx, config, body, {
    account,
    kind: 'sign-in',
    now,
  });
  const session = openSession(tx, account, { caller, browser, now, isChecked: true });
  return { status: 200, body: { username, passkeys }, session };
});
