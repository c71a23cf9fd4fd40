// DELETE /-/sessions: signs out everywhere.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { deleteSessions } from '../queries/index.ts';

export const endSessions = implement(ceremonies.endSessions)(async ({ tx, caller }) => {
  void deleteSessions(tx, caller);
  return { status: 204, body: undefined, session: 'ended' };
});
