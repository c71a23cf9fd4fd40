// POST /-/check/begin: a challenge for one of the caller’s own passkeys.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { newId } from '#lib/id';
import { listCredentials } from '../queries/index.ts';
import { beginCeremony, requestOptions } from '../service/passkeys.ts';

export const beginCheck = implement(ceremonies.beginCheck)(async ({ tx, caller, config, now }) => {
  const { bucket, id: principal_id } = caller;
  const id = newId(bucket, now.getTime());
  const options = await requestOptions(config, await listCredentials(tx, caller));
  const ceremony = { bucket, id, kind: 'check', principal_id } as const;
  return { status: 200, body: beginCeremony(tx, ceremony, options, now) };
});
