// POST /-/check: the session counts as checked for the next minutes.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { setSessionChecked } from '../queries/index.ts';
import { acceptUse } from '../service/passkey-uses.ts';
import { library } from '../service/passkeys.ts';

export const finishCheck = implement(
  ceremonies.finishCheck,
  library,
)(async ({ tx, caller, config, now }, { body }) => {
  const { bucket, session } = caller;
  await acceptUse(tx, config, body, { account: caller, kind: 'check', now });
  if (session !== null) void setSessionChecked(tx, { bucket, id: session.id }, now);
  return { status: 204, body: undefined };
});
