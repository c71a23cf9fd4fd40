// POST /-/passkeys/begin: asks the browser for one more passkey.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { newId } from '#lib/id';
import { findPrincipal, listCredentials } from '../queries/index.ts';
import { requireCheck } from '../service/checks.ts';
import { beginCeremony, creationOptions, requirePasskeyRoom } from '../service/passkeys.ts';

export const beginPasskey = implement(ceremonies.beginPasskey)(async ({
  tx,
  caller,
  config,
  now,
}) => {
  const { bucket, id: principal_id, username } = caller;
  const [known, principal] = await Promise.all([
    listCredentials(tx, caller),
    findPrincipal(tx, bucket, principal_id),
  ]);
  requirePasskeyRoom(known.length);
  requireCheck(caller, known.length, now);
  const displayName = principal?.display_name ?? null;
  const options = await creationOptions(config, { id: principal_id, username, displayName }, known);
  const ceremony = {
    bucket,
    id: newId(bucket, now.getTime()),
    kind: 'passkey',
    principal_id,
  } as const;
  return { status: 200, body: beginCeremony(tx, ceremony, options, now) };
});
