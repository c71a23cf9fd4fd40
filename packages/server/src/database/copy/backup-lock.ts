// One scheduled backup at a time, of all processes and hosts.
import type pg from 'pg';
import { sql } from '../client/sql.ts';
import { openCopySession } from './session.ts';

/** Takes the lock if it is free. It ends with this connection. */
export async function openBackupLock(
  connection: pg.ClientConfig,
): Promise<{ readonly isHeld: boolean } & AsyncDisposable> {
  const session = await openCopySession(connection, 'backup');
  try {
    const [row] = await session.ask(
      sql<{ held: boolean }>`select pg_try_advisory_lock(1129270351, 5) as held`,
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
