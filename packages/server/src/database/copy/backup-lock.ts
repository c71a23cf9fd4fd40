// One scheduled backup and one restore at a time, of all processes and hosts.
import type { Connection } from '../client/new-client.ts';
import { sql } from '../client/sql.ts';
import { openCopySession } from './session.ts';

const numbers = { backup: 5, restore: 6 } as const;

/** Takes the lock if it is free. It ends with this connection. */
export async function openCopyLock(
  connection: Connection,
  kind: keyof typeof numbers,
): Promise<{ readonly isHeld: boolean } & AsyncDisposable> {
  const session = await openCopySession(connection, kind);
  try {
    const [row] = await session.ask(
      sql<{ held: boolean }>`select pg_try_advisory_lock(1129270351, ${numbers[kind]}) as held`,
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
