// A migrated database of its own on the PostgreSQL of the run, for tests that do not stop or crash that.
import { cloneDatabase } from './database.ts';
import { openClone } from './throw-away-database.ts';
import type { Clone } from './throw-away-database.ts';

/** Clones the migrated database. Its end drops the clone. */
export async function migratedClone(): Promise<Clone> {
  const database = await cloneDatabase();
  const clone = openClone(database.connection);
  return {
    ...clone,
    [Symbol.asyncDispose]: async () => {
      await clone[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
