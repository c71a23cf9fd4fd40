// One streaming standby: whether it can be used, and reads on it that see everything up to a position.
import { inTime } from '#lib/in-time';
import type { Result } from './client-config.ts';
import { send } from './client-config.ts';
import { newClient } from './new-client.ts';
import type { Connection } from './new-client.ts';
import { isConnectionLost } from './pg-errors.ts';
import { openReaders } from './reads.ts';
import type { Db } from './session.ts';
import { sql } from './sql.ts';
import type { Statement } from './sql.ts';

/** After this time a standby counts as hung, and the read goes to the primary. */
const patienceMs = 2_000;
/** Pause after which a standby that was left out is asked again. */
const pauseMs = 1_000;
/** After this many reads in a row for which it was behind, it is left out for a pause. */
const behindMax = 20;
/** Number of connections that short statements share. */
const shared = 4;

export interface Standby {
  /** `host:port`. */
  readonly name: string;
  readonly connection: Connection;
  /** Undefined while it is left out. */
  readers: ReturnType<typeof openReaders> | undefined;
  /** Number of reads in a row for which it was behind. */
  behind: number;
  timer: NodeJS.Timeout | undefined;
  closed: boolean;
}

/** Receives the name of a standby and why it is left out; no reason: it is used from now on. */
export type Changed = (name: string, reason?: string) => void;

/** Who watches a standby. */
interface Watch {
  readonly primary: Db;
  readonly changed: Changed;
}

const isBehind = new Error('It has not replayed the newest commits.');
const isHung = new Error('It does not answer.');
const isNoStandby = new Error('It is not a standby.');
/** Every host of a cluster may be named: this one is used when it has become a standby. */
const isPrimary = new Error(isNoStandby.message);

/** Only a standby of the same cluster has the same identifier. */
const identity = sql<{ id: string; standby: boolean; secondaries: boolean }>`
  select system_identifier::text as id, pg_is_in_recovery() as standby,
    current_setting('citus.use_secondary_nodes', true) is not distinct from 'always' as secondaries
  from pg_control_system()`;

function hasReplayed(lsn: string): Statement<{ fresh: boolean | null }> {
  return sql<{ fresh: boolean | null }>`select pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as fresh`;
}

/** @throws Error with the reason why the server cannot be used */
async function requireStandby(connection: Connection, primary: Db): Promise<void> {
  const client = newClient(connection, { application_name: 'colophon-probe', settings: {} });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const [theirs, ours] = await Promise.all([send(client, identity), primary.first(identity)]);
    const [row] = theirs.rows;
    if (row?.['standby'] !== true) throw row?.['id'] === ours?.id ? isPrimary : isNoStandby;
    if (row['id'] !== ours?.id) throw new Error('It is a standby of another primary.');
    // The position in the log of the coordinator says nothing of them.
    if (row['secondaries'] === true)
      throw new Error(
        'It reads from standbys of the workers, which may be behind: set citus.use_secondary_nodes to never.',
      );
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Returns why public reads cannot use the server; undefined: they can, or it is the primary of this cluster. */
export async function findStandbyFault(
  connection: Connection,
  primary: Db,
): Promise<string | undefined> {
  try {
    await inTime(requireStandby(connection, primary), patienceMs, isHung);
    return undefined;
  } catch (error) {
    return error === isPrimary ? undefined : (error as Error).message;
  }
}

function joinLater(standby: Standby, watch: Watch, reason: string): void {
  if (standby.closed) return;
  standby.timer = setTimeout(() => void join(standby, watch, reason), pauseMs).unref();
}

/** Uses the standby as soon as it can be used. `reason`: why it was left out. */
export async function join(standby: Standby, watch: Watch, reason = ''): Promise<void> {
  try {
    await inTime(requireStandby(standby.connection, watch.primary), patienceMs, isHung);
    if (standby.closed) return;
    const { connection } = standby;
    standby.behind = 0;
    standby.readers = openReaders({ connection, readers: shared, onError: () => undefined });
    if (reason !== isBehind.message) watch.changed(standby.name);
  } catch (error) {
    const { message } = error as Error;
    if (message !== reason) watch.changed(standby.name, message);
    joinLater(standby, watch, message);
  }
}

function leaveOut(standby: Standby, watch: Watch, error: Error): void {
  if (standby.readers === undefined) return;
  // Not awaited: a server that hangs does not answer.
  void standby.readers.close();
  standby.readers = undefined;
  if (error !== isBehind) watch.changed(standby.name, error.message);
  joinLater(standby, watch, error.message);
}

/**
 * Leaves the standby out after a failed read if it is lost, hangs, or stays behind. A statement that the
 * standby cancelled, because it was in the way of the replay, does not count.
 */
export function noteFailure(standby: Standby, watch: Watch, error: Error): 'behind' | 'failed' {
  if (error === isBehind) {
    standby.behind += 1;
    if (standby.behind >= behindMax) leaveOut(standby, watch, error);
    return 'behind';
  }
  if (error === isHung || isConnectionLost(error)) leaveOut(standby, watch, error);
  return 'failed';
}

/** Sends the question and the statement together, which costs no further round trip. */
function freshly(lsn: string): typeof send {
  return async (client, statement) => {
    const asked = send(client, hasReplayed(lsn));
    const found = send(client, statement);
    found.catch(() => undefined);
    if ((await asked).rows[0]?.['fresh'] !== true) throw isBehind;
    return found;
  };
}

/**
 * Reads on a standby that has replayed the log up to `lsn`.
 * @throws Error for `noteFailure`: it has not, it is lost, it hangs, or the statement failed
 */
export function readOn(
  readers: NonNullable<Standby['readers']>,
  statement: Statement,
  lsn: string,
): Promise<Result> {
  return inTime(readers.read(statement, freshly(lsn)), patienceMs, isHung);
}

export async function close(standby: Standby): Promise<void> {
  standby.closed = true;
  clearTimeout(standby.timer);
  await standby.readers?.close();
}
