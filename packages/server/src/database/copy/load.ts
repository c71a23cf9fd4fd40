// Fills the empty tables of a migrated database in one transaction: everything or nothing.
import { once } from 'node:events';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Connection } from '../client/new-client.ts';
import { sql } from '../client/sql.ts';
import { migrationsTable, unfinishedRestore } from '../migrate.ts';
import { openCopySession } from './session.ts';
import type { Ask } from './session.ts';
import { columnList } from './snapshot.ts';
import type { TableCopy } from './snapshot.ts';

/** A table that is being filled. */
export interface Filling {
  /** Waits while the database is busy. */
  write(rows: Buffer): Promise<void>;
  /** Returns the number of rows. */
  end(): Promise<number>;
}

export interface Loader extends AsyncDisposable {
  begin(table: TableCopy): Filling;
  /** Runs a statement in the transaction that `commit` ends. */
  readonly ask: Ask;
  /** Makes indexes and foreign keys, removes the mark of an unfinished restore, and commits. */
  commit(made: (what: string) => void): Promise<void>;
}

interface Definition {
  readonly name: string;
  readonly text: string;
}

interface Dropped {
  readonly drop: string;
  readonly make: readonly Definition[];
}

const foreignKeys = sql<Definition & { drop: string }>`
  select k.conname as name,
    format('alter table public.%I drop constraint %I', c.relname, k.conname) as drop,
    format('alter table public.%I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as text
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where c.relnamespace = 'public'::regnamespace
    and k.contype = 'f'
    and k.conparentid = 0
  order by c.relname collate "C", k.conname collate "C"`;

const indexes = sql<Definition & { drop: string }>`
  select n.relname as name,
    format('drop index public.%I', n.relname) as drop,
    pg_get_indexdef(i.indexrelid) as text
  from pg_index i
  join pg_class c on c.oid = i.indrelid
  join pg_class n on n.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace
    and c.relname <> ${migrationsTable}
    and not c.relispartition
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
  order by c.relname collate "C", n.relname collate "C"`;

/** Migrations insert a few rows, which the backup contains as well. */
const emptying = sql<{ text: string }>`
  select 'truncate ' || string_agg(format('public.%I', c.relname), ', ') as text
  from pg_class c
  where c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'p')
    and not c.relispartition
    and c.relname <> ${migrationsTable}`;

/** Rows arrive in any order, and an index is made faster from all rows than row by row. */
async function dropAids(ask: Ask): Promise<Dropped> {
  const keys = await ask(foreignKeys);
  const others = await ask(indexes);
  const tables = await ask(emptying);
  const drop = [
    ...[...keys, ...others].map((one) => one.drop),
    // Its owner may not empty it (migration 0016), and COPY with FREEZE needs a table that was emptied.
    'grant truncate on public.audit_log to current_user',
    ...tables.map(({ text }) => text),
    'revoke truncate on public.audit_log from current_user',
  ].join(';\n');
  return { drop, make: [...others, ...keys] };
}

function fillTable(client: pg.Client, table: TableCopy): Filling {
  // The table was emptied in this transaction, so its rows need no vacuum later.
  const stream = client.query(copyFrom(`copy ${columnList(table)} from stdin with (freeze)`));
  const ended = new Promise<void>((resolve, reject) => {
    stream.once('finish', resolve);
    stream.once('error', reject);
  });
  // It is awaited by the next write or the end.
  ended.catch(() => undefined);
  return {
    write: async (rows) => {
      if (!stream.write(rows)) await Promise.race([once(stream, 'drain'), ended]);
    },
    end: async () => {
      stream.end();
      await ended;
      return stream.rowCount;
    },
  };
}

/**
 * Begins to fill the tables of a database that `markUnfinished` marked. If it is not committed, everything is
 * rolled back.
 */
export async function openLoader(connection: Connection): Promise<Loader> {
  const session = await openCopySession(connection, 'restore');
  const { client, ask } = session;
  try {
    await client.query("begin; set local maintenance_work_mem = '256MB'");
    const { drop, make } = await dropAids(ask);
    await client.query(drop);
    return {
      begin: (table) => fillTable(client, table),
      ask,
      commit: async (made) => {
        for (const { name, text } of make) {
          await client.query(text);
          made(name);
        }
        await ask(sql`delete from public.migrations where name = ${unfinishedRestore}`);
        await ask(sql`commit`);
        // Without statistics the first statements would read whole tables.
        await ask(sql`analyze`);
      },
      [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
    };
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}
