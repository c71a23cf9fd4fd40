// Reads from streaming standbys, which see everything that was committed before the read began.
import type { Result } from './client-config.ts';
import type { Connection } from './new-client.ts';
import type { Db } from './session.ts';
import { shareNext } from './share-next.ts';
import { sql } from './sql.ts';
import type { Statement } from './sql.ts';
import { close, join, noteFailure, readOn } from './standby.ts';
import type { Changed, Standby } from './standby.ts';
import { isOverload } from './waiting-line.ts';

/** The number of statements by where they were answered, or why the primary had to answer them. */
type Counts = Record<'standby' | 'behind' | 'failed', number>;

export interface ReplicaOptions {
  readonly primary: Db;
  readonly connections: readonly Connection[];
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

/** Opens the standbys. Reads go to the primary until one can be used. */
export function openReplicas({ primary, connections, changed }: ReplicaOptions): Replicas {
  const counts: Counts = { standby: 0, behind: 0, failed: 0 };
  const newest = shareNext(async () => (await primary.first(position))?.lsn ?? '');
  const standbys = connections.map(standbyAt);
  const choose = takeTurns(standbys);
  const watch = { primary, changed };

  function begin(): Db {
    let standby = choose();
    let began: Promise<string> | undefined;

    async function read<R>(statement: Statement<R>): Promise<readonly R[]> {
      const used = standby;
      if (used?.readers === undefined) return primary.rows(statement);
      const lsn = await (began ??= newest());
      try {
        const { rows }: Result = await readOn(used.readers, statement, lsn);
        counts.standby += 1;
        used.behind = 0;
        return rows as R[];
      } catch (error) {
        if (isOverload(error)) throw error;
        counts[noteFailure(used, watch, error as Error)] += 1;
        standby = undefined;
        return primary.rows(statement);
      }
    }

    return { rows: read, first: async (statement) => (await read(statement))[0] };
  }

  for (const standby of standbys) void join(standby, watch);
  return {
    begin,
    counts: () => ({ ...counts }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(standbys.map(close));
    },
  };
}
