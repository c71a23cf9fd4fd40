// POST /-/join/begin: checks the name, and asks the browser for a passkey of the account to come.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { newId } from '#lib/id';
import { deleteLapsedUsername, findUsername } from '../queries/index.ts';
import { requireFreeName, takenName } from '../rules/reserved-usernames.ts';
import { beginCeremony, creationOptions } from '../service/passkeys.ts';

export const beginJoin = implement(ceremonies.beginJoin)(async ({ tx, config, now }, { body }) => {
  const { bucket, username, skeleton } = requireFreeName(config, body);
  void deleteLapsedUsername(tx, { bucket, skeleton, now });
  if ((await findUsername(tx, bucket, skeleton)) !== undefined) throw takenName();
  const id = newId(bucket, now.getTime());
  const displayName = body.display_name ?? null;
  const options = await creationOptions(config, { id, username, displayName }, []);
  const ceremony = {
    bucket,
    id: newId(bucket, now.getTime()),
    kind: 'join',
    principal_id: id,
    username,
    display_name: displayName,
  } as const;
  return { status: 200, body: beginCeremony(tx, ceremony, options, now) };
});
