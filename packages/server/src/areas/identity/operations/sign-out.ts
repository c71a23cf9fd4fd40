// POST /-/sign-out: ends the session of the request.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { deleteSession } from '../queries/index.ts';

export const signOut = implement(ceremonies.signOut)(async ({ tx, caller }) => {
  if (caller.session !== null) void deleteSession(tx, caller, caller.session.id);
  return { status: 204, body: undefined, session: 'ended' };
});
