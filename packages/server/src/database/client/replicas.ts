// Reads from streaming standbys, which see everything that was committed before the read began.
import type { Result } from './client-config.ts';
import { nameBuckets } from './name-buckets.ts';
import type { Connection } from './new-client.ts';
import type { Db } from './session.ts';
import { shareNext } from './share-next.ts';
import { sql } from './sql.ts';
import { turnReads } from './turn-reads.ts';
import type { Statement } from './sql.ts';
import { close, join, noteFailure, readOn } from './standby.ts';
import type { Changed, Standby } from './standby.ts';
import { isOverload } from './waiting-line.ts';

/** The number of statements by where they were answered, or why the primary had to answer them. */
type Counts = Record<'standby' | 'behind' | 'failed', number>;

export interface ReplicaOptions {
  readonly primary: Db;
  readonly connections: readonly Connection[];
  /**
   * The tables may be distributed: a statement for several buckets would go to every server, and the coordinator's
   * standby plans as the coordinator does.
   */
  readonly sharded: boolean;
  readonly changed: Changed;
}

export interface Replicas extends AsyncDisposable {
  /** Returns the reads of one request: all from one standby, until one fails, then from the primary. */
  begin(): Db;
  counts(): Readonly<Counts>;
}

/** A commit is answered after its log was flushed, so this position includes every answered commit. */
const position = sql<{ lsn: string }>`select pg_current_wal_flush_lsn()::text as lsn`;

function standbyAt(connection: Connection): Standby {
  return {
    name: `${connection.host}:${connection.port}`,
    connection,
    readers: undefined,
    behind: 0,
    timer: undefined,
    closed: false,
  };
}

/** Returns the usable standbys in turn. */
function takeTurns(standbys: readonly Standby[]): () => Standby | undefined {
  let turn = 0;
  return () => {
    const usable = standbys.filter(({ readers }) => readers !== undefined);
    turn += 1;
    return usable[turn % usable.length];
  };
}

interface Reading {
  readonly primary: Db;
  readonly sharded: boolean;
  readonly standbys: readonly Standby[];
  /** @throws Error after which the primary should answer, if it is not an overload */
  readonly readAt: <R>(
    standby: Standby,
    statement: Statement<R>,
    lsn: string,
  ) => Promise<readonly R[]>;
  /** Returns a position that includes every commit that was answered before the call. */
  readonly newest: () => Promise<string>;
}

/** Returns a function for the reads of one request: all from one standby, until one fails. */
function openRequests({ primary, sharded, standbys, readAt, newest }: Reading): () => Db {
  const choose = takeTurns(standbys);
  const finds = new Map(
    standbys.map((standby) => [
      standby,
      turnReads({ rows: async (statement) => readAt(standby, statement, await newest()) }),
    ]),
  );

  return () => {
    let standby = choose();
    let began: Promise<string> | undefined;

    async function readOr<T>(there: (standby: Standby) => Promise<T>, here: () => Promise<T>) {
      if (standby?.readers === undefined) return here();
      try {
        return await there(standby);
      } catch (error) {
        if (isOverload(error)) throw error;
        standby = undefined;
        return here();
      }
    }

    const rows = <R>(statement: Statement<R>) =>
      readOr(
        async (used) => readAt(used, statement, await (began ??= newest())),
        () => primary.rows(statement),
      );
    const first: Db['first'] = async (statement) => (await rows(statement))[0];
    const find: Db['find'] = (read, key) =>
      readOr(
        (used) => (finds.get(used) ?? primary.find)(read, key),
        () => primary.find(read, key),
      );
    return { rows, first, find: sharded ? (read, key) => first(read.one(key)) : find };
  };
}

/** Opens the standbys. Reads go to the primary until one can be used. */
export function openReplicas({ primary, connections, sharded, changed }: ReplicaOptions): Replicas {
  const counts: Counts = { standby: 0, behind: 0, failed: 0 };
  const newest = shareNext(async () => (await primary.first(position))?.lsn ?? '');
  const standbys = connections.map(standbyAt);
  const watch = { primary, changed };

  const readAt: Reading['readAt'] = async <R>(
    standby: Standby,
    statement: Statement<R>,
    lsn: string,
  ) => {
    if (standby.readers === undefined) throw new Error(`${standby.name} is not used any more.`);
    try {
      const sent = sharded ? nameBuckets(statement) : statement;
      const { rows }: Result = await readOn(standby.readers, sent, lsn);
      counts.standby += 1;
      standby.behind = 0;
      return rows as R[];
    } catch (error) {
      if (!isOverload(error)) counts[noteFailure(standby, watch, error as Error)] += 1;
      throw error;
    }
  };

  for (const standby of standbys) void join(standby, watch);
  return {
    begin: openRequests({ primary, sharded, standbys, readAt, newest }),
    counts: () => ({ ...counts }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(standbys.map(close));
    },
  };
}
