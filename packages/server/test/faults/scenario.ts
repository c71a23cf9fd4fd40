// A server in this process, somebody who writes to it, and a session beside it that looks at its database.
import pg from 'pg';
import { startServer } from '../harness.ts';
import type { Human, TestServer } from '../harness.ts';
import { until } from '../throw-away-database.ts';

export interface Scenario extends AsyncDisposable {
  readonly server: TestServer;
  readonly human: Human;
  readonly admin: pg.Client;
}

export async function connect({ services }: TestServer): Promise<pg.Client> {
  const client = new pg.Client({ ...services.connection, application_name: 'test' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** `patience` multiplies the time limits of statements: 1 for tests that wait for their end. */
export async function createScenario(patience?: number): Promise<Scenario> {
  const server = await startServer({}, {}, patience === undefined ? {} : { patience });
  const human = await server.register();
  const admin = await connect(server);
  return {
    server,
    human,
    admin,
    [Symbol.asyncDispose]: async () => {
      await admin.end();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Transactions of other sessions that are open and do nothing. */
async function transactionsThatWait({ admin }: Scenario): Promise<readonly string[]> {
  const { rows } = await admin.query<{ one: string }>(`
    select pid || ' since ' || xact_start as one
    from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%' and pid <> pg_backend_pid()`);
  return rows.map(({ one }) => one);
}

/** Waits until nothing is under way and no session is left inside a transaction. */
export async function checkIdle(scenario: Scenario): Promise<void> {
  await until('no transaction is left', () => {
    const { writersBusy, writersWaiting, reads } = scenario.server.db.counts();
    return writersBusy + writersWaiting + reads === 0;
  });
  // The pipeline's own transactions come and go, and on a busy machine there is always one: none of those seen
  // first may stay. The database would end it after ten seconds.
  const first = await transactionsThatWait(scenario);
  await until('no session waits inside a transaction', async () => {
    const now = await transactionsThatWait(scenario);
    return !first.some((one) => now.includes(one));
  });
}
