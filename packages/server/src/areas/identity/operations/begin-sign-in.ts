// POST /-/sign-in/begin: a challenge for any passkey of this site; the passkey says whose it is.
import { randomInt } from 'node:crypto';
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { BUCKETS, newId } from '#lib/id';
import { beginCeremony, requestOptions } from '../service/passkeys.ts';

export const beginSignIn = implement(ceremonies.beginSignIn, ({ config }) =>
  // Before the transaction, whose statements are then sent at once.
  requestOptions(config),
)(async ({ tx, now }, _input, options) => {
  const bucket = randomInt(BUCKETS);
  const id = newId(bucket, now.getTime());
  const ceremony = { bucket, id, kind: 'sign-in' } as const;
  return { status: 200, body: beginCeremony(tx, ceremony, options, now) };
});
