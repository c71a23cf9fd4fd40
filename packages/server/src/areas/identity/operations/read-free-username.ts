// GET /-/join/username: whether a name can be registered, while it is typed. Joining checks it again.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { findUsername } from '../queries/index.ts';
import { requireFreeName, takenName } from '../rules/reserved-usernames.ts';

export const readFreeUsername = implement(ceremonies.readFreeUsername)(async (
  { db, config, now },
  { query },
) => {
  const { bucket, username, skeleton } = requireFreeName(config, query);
  const holder = await findUsername(db, bucket, skeleton);
  const until = holder?.reserved_until ?? null;
  const isLapsed = until !== null && new Date(until) <= now;
  if (holder !== undefined && !isLapsed) throw takenName();
  return { status: 200, body: { username } };
});
