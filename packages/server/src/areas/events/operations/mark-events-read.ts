// POST /-/notifications: marks the events of a person as read, up to one of them.
import { ceremonies } from '@colophon/contract';
import { setEventsRead } from '#event-log';
import { implement } from '#http';

/** Marking what was read is not a change: it is idempotent, and an older event takes nothing back. */
export const markEventsRead = implement(ceremonies.markEventsRead)(async (
  { tx, caller },
  { body },
) => {
  void setEventsRead(tx, caller, body.event_id);
  return { status: 204, body: undefined };
});
