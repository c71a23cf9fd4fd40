// Events written past all operations, as their causes write them: for tests of what happens to them.
import type { Database } from '#database';
import { appendEvent } from '#event-log';
import type { NewEvent } from '#event-log';

/** A notice that says `mark` and nothing else. */
export function eventTo(recipientId: string, mark: string | number = 0): NewEvent {
  return {
    recipientId,
    type: 'comment.created',
    actorId: null,
    subjectType: 'principal',
    subjectId: recipientId,
    payload: { mark },
  } as unknown as NewEvent;
}

/** One transaction that tells each of the recipients something. */
export async function appendEvents(
  db: Database,
  recipientIds: readonly string[],
  mark: string | number = 0,
  now: Date = new Date(),
): Promise<void> {
  await db.transaction(async (tx) =>
    appendEvent(
      tx,
      recipientIds.map((id) => eventTo(id, mark)),
      now,
    ),
  );
}
