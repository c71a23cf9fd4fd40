// Recognises a connection pooler, such as PgBouncer, between the service and PostgreSQL, and a Citus cluster.
import type pg from 'pg';
import { newClient } from './new-client.ts';
import type { ClientOptions, Connection } from './new-client.ts';

/** A value that no server has by chance: 9.731 s. */
const unusual = 9_731;
const others = 3;

interface Answer {
  readonly pid: number;
  readonly timeout: string;
  readonly sharded: boolean;
}

const options: ClientOptions = {
  application_name: 'colophon-start',
  // A pooler lets a statement wait until it has a connection for it.
  query_timeout: 10_000,
  settings: { statement_timeout: unusual },
};

const question = `
  select pg_backend_pid() as pid, current_setting('statement_timeout') as timeout,
    exists (select 1 from pg_extension where extname = 'citus') as sharded`;

async function ask(client: pg.Client): Promise<Answer> {
  const { rows } = await client.query<Answer>(question);
  if (rows[0] === undefined) throw new Error('The database gave no answer.');
  return rows[0];
}

/** What to do about a server that runs and refuses the connection, by SQLSTATE. */
const refusals: Readonly<Record<string, string>> = {
  '3D000': 'create it, or correct the name of the database in DATABASE_URL',
  '28000': 'create the role or admit it in pg_hba.conf, or correct the user in DATABASE_URL',
  '28P01': 'correct the user and the password in DATABASE_URL',
  '53300': 'raise max_connections there, or end other connections',
};

/** Adds advice to a connection error. */
export function unreachable(
  error: Error & { readonly code?: string; readonly errors?: readonly Error[] },
): Error {
  const reason = error.message || error.errors?.[0]?.message || error.name;
  const advice = refusals[error.code ?? ''];
  return new Error(
    advice === undefined
      ? `The database of DATABASE_URL cannot be reached (${reason}): start it, or set DATABASE_URL to the address of a running one.`
      : `The database of DATABASE_URL refuses the connection (${reason}): ${advice}.`,
    { cause: error },
  );
}

const notInSession =
  'The pooler of DATABASE_URL does not keep one server connection for each client connection, so settings, ' +
  'locks and notifications would be lost: set pool_mode=session for this database in the pooler, or connect ' +
  'to PostgreSQL directly.';

async function openClient(connection: Connection): Promise<pg.Client> {
  const client = newClient(connection, options);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function refusesOptions(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message);
}

/** Opens a first connection, with settings by SET if `options` is refused. */
async function openFirst(
  connection: Connection,
): Promise<{ client: pg.Client; settingsBy: 'options' | 'set' }> {
  try {
    const client = await openClient({ ...connection, settingsBy: 'options' });
    return { client, settingsBy: 'options' };
  } catch (error) {
    if (!refusesOptions(error)) throw unreachable(error as Error);
    const client = await openClient({ ...connection, settingsBy: 'set' });
    return { client, settingsBy: 'set' };
  }
}

/**
 * In session mode a client keeps its server connection. In other modes another client gets it as soon as the
 * first one is idle: poolers hand out the connection that was used last, or each in turn.
 */
async function sharesServer(connection: Connection, client: pg.Client): Promise<boolean> {
  const { pid } = await ask(client);
  const held: pg.Client[] = [];
  try {
    for (let turn = 0; turn < others; turn += 1) {
      const other = await openClient(connection);
      held.push(other);
      const began = await other.query('begin').then(
        () => true,
        () => false,
      );
      if (!began || (await ask(other)).pid === pid || (await ask(client)).pid !== pid) return true;
    }
    return false;
  } finally {
    await Promise.all(held.map((other) => other.end().catch(() => undefined)));
  }
}

/**
 * Returns the connection with the way in which it gets its settings, and whether its tables may be sharded.
 * @throws Error with a message for the operator: the database cannot be reached, or a pooler shares server
 * connections between clients
 */
export async function recognisePooler(connection: Connection): Promise<Connection> {
  const { client, settingsBy } = await openFirst(connection);
  try {
    const { pid, timeout, sharded } = await ask(client);
    const settled: Connection = {
      ...connection,
      sharded,
      // A pooler that ignores `options` loses the settings without an error.
      settingsBy: timeout === `${unusual}ms` ? settingsBy : 'set',
    };
    // A pooler answers with a process number of its own.
    const { processID } = client as unknown as { readonly processID: number };
    if (processID !== pid && (await sharesServer(settled, client))) throw new Error(notInSession);
    return settled;
  } finally {
    await client.end().catch(() => undefined);
  }
}
