// Events written past all operations, as their causes write them: for tests of what becomes of them.
import type { Database } from '#database';
import { notify } from '#notices';
import type { Notice } from '#notices';

/** A notice that says `mark` and nothing else. */
export function noticeTo(recipientId: string, mark: string | number = 0): Notice {
  return {
    recipientId,
    type: 'comment.created',
    actorId: null,
    subjectType: 'principal',
    subjectId: recipientId,
    payload: { mark },
  } as unknown as Notice;
}

/** One transaction that tells each of the recipients something. */
export async function tell(
  db: Database,
  recipientIds: readonly string[],
  mark: string | number = 0,
  now: Date = new Date(),
): Promise<void> {
  await db.transaction(async (tx) =>
    notify(
      tx,
      recipientIds.map((id) => noticeTo(id, mark)),
      now,
    ),
  );
}
