// POST /-/sign-in/begin: a challenge for any passkey of this site; the passkey says whose it is.
import { randomInt } from 'node:crypto';
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { BUCKETS, newId } from '#lib/id';
import { beginCeremony, requestOptions } from '../service/passkeys.ts';

export const beginSignIn = implement(ceremonies.beginSignIn)(async ({ tx, config, now }) => {
  const bucket = randomInt(BUCKETS);
  const id = newId(bucket, now.getTime());
  const options = await requestOptions(config);
  return {
    status: 200,
    body: beginCeremony(tx, { bucket, id, kind: 'sign-in' }, options, now),
  };
});
