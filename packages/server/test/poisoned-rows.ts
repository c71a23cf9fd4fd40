// A row that every write refuses, as one that another session locks for ever does at the end of each wait.
import pg from 'pg';
import type { TestServer } from './harness.ts';

/** Refuses changes of the row with this id until the end of the scope. */
export async function poisonRow(
  { services }: Pick<TestServer, 'services'>,
  table: string,
  id: string,
): Promise<AsyncDisposable> {
  const owner = new pg.Client(services.connection);
  await owner.connect();
  await owner.query(`
    create function refuse_row() returns trigger language plpgsql as
    $$ begin raise 'this row is poisoned'; end $$;
    create trigger refuse_row before update or delete on ${table}
    for each row when (old.id = ${pg.escapeLiteral(id)}) execute function refuse_row()`);
  return {
    [Symbol.asyncDispose]: async () => {
      await owner.query(`drop function refuse_row() cascade`);
      await owner.end();
    },
  };
}
