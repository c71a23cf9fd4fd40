// What a session may call with the admin scopes of its account outside of the desk's pages: the bytes of a file.
import { operations } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import { deskPrefix } from '#http';
import type { Credentials, Entrance } from '#http';
import * as identity from '#identity';
import type { Services } from './services.ts';

const { method, path, name } = operations.readMediaContent;

export const deskRoutes = [{ method, path: `${deskPrefix}${path}` }] as const;

/** Pages show no file: a moderator opens the bytes of one by a link, at an address of its own. */
export function isForDesk({
  operation,
}: {
  readonly operation: Pick<AnyOperation, 'name'>;
}): boolean {
  return operation.name === name;
}

/** Returns the entrance of sessions with the admin scopes of their accounts, where the desk is open. */
export function deskEntrance(
  entrance: Entrance,
  { db, now }: Pick<Services, 'db' | 'now'>,
): Entrance {
  const { credentials: session } = entrance;
  const find: Credentials['find'] = async (headers, address, beside) => {
    const caller = await session.find(headers, address, beside);
    if (caller === undefined) return undefined;
    return (await identity.enterDesk(db, caller, now())).caller ?? caller;
  };
  return { ...entrance, credentials: { ...session, find }, below: deskPrefix };
}
