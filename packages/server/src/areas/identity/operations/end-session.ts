// DELETE /-/sessions/{id}: signs out on one device.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { deleteSession } from '../queries/index.ts';

export const endSession = implement(ceremonies.endSession)(async ({ tx, caller }, { params }) => {
  // A session that has ended already is as it should be.
  void deleteSession(tx, caller, params.id);
  const own = params.id === caller.session?.id;
  return { status: 204, body: undefined, ...(own ? { session: 'ended' as const } : {}) };
});
