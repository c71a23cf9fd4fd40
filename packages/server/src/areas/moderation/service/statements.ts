// The public statement of one action, for the transparency log.
import type { Db } from '#database';
import type { RowKey } from '#lib/id';
import { findStatement } from '../queries/index.ts';
import { statementView } from '../views/statements.ts';

type Statement = Omit<ReturnType<typeof statementView>, 'appeal'>;

/**
 * Returns an action as GET /v1/moderation/actions shows it, without what may still change: the outcome of an
 * appeal. Undefined if there is no such action.
 */
export async function publicStatement(db: Db, key: RowKey): Promise<Statement | undefined> {
  const row = await findStatement(db, key);
  if (row === undefined) return undefined;
  const { appeal: _, ...statement } = statementView(row);
  return statement;
}
