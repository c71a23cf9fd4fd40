// GET /-/sessions: where the caller is signed in.
import { ceremonies, sessionLimits } from '@colophon/contract';
import { implement } from '#http';
import { listSessions as findSessions } from '../queries/index.ts';
import { idleSince } from '../rules/sessions.ts';

export const listSessions = implement(ceremonies.listSessions)(async ({ db, caller, now }) => {
  const rows = await findSessions(
    db,
    caller,
    { now, idleSince: idleSince(now) },
    sessionLimits.sessions_max,
  );
  const items = rows.map((row) => ({ ...row, current: row.id === caller.session?.id }));
  return { status: 200, body: { items } };
});
