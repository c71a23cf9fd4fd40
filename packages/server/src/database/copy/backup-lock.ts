// One scheduled backup, one restore and one change of the log's key at a time, of all processes and hosts.
import { lockNumbers, lockSpace } from '../advisory-locks.ts';
import type { Connection } from '../client/new-client.ts';
import { sql } from '../client/sql.ts';
import { openCopySession } from './session.ts';

/** Takes the lock if it is free. It ends with this connection. */
export async function openCopyLock(
  connection: Connection,
  kind: 'backup' | 'restore' | 'rotation',
): Promise<{ readonly isHeld: boolean } & AsyncDisposable> {
  const session = await openCopySession(connection, kind);
  try {
    const [row] = await session.ask(
      sql<{ held: boolean }>`
        select pg_try_advisory_lock(${lockSpace}::integer, ${lockNumbers[kind]}::integer) as held`,
    );
    return {
      isHeld: row?.held === true,
      [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
    };
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}
