// Whether a database is free for a restore, and the mark of a restore that has not ended.
import type { Connection } from '../client/new-client.ts';
import { sql } from '../client/sql.ts';
import { unfinishedRestore } from '../migrate.ts';
import { openCopySession } from './session.ts';
import type { Ask } from './session.ts';

/** `unused`: migrated, but without an account. `unfinished`: a restore was killed. */
export type DatabaseUse = 'empty' | 'unused' | 'unfinished' | 'used';

const relations = sql<{ empty: boolean; migrated: boolean }>`
  select count(*) = 0 and to_regnamespace('graphile_worker') is null as empty,
    count(*) filter (where c.relname in ('migrations', 'principals', 'audit_log')) = 3 as migrated
  from pg_class c
  where c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'p', 'v', 'm')`;

/** Every row of a participant depends on an account, and every action of the operator is in the audit log. */
const contents = sql<{ use: DatabaseUse }>`
  select case
    when exists (select 1 from public.migrations where name = ${unfinishedRestore}) then 'unfinished'
    when exists (select 1 from public.principals) or exists (select 1 from public.audit_log) then 'used'
    else 'unused'
  end as use`;

async function useOf(ask: Ask): Promise<DatabaseUse> {
  const [found] = await ask(relations);
  if (found?.empty === true) return 'empty';
  // Tables of another program, or of a schema that was not finished.
  if (found?.migrated !== true) return 'used';
  const [state] = await ask(contents);
  return state?.use ?? 'used';
}

/** Returns how the database at `connection` is used. */
export async function databaseUse(connection: Connection): Promise<DatabaseUse> {
  await using session = await openCopySession(connection, 'restore');
  return await useOf(session.ask);
}

/** Drops every table of the service, in a database that is not used. */
const clearing = `
  do $$
  declare
    found record;
  begin
    for found in
      select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    loop
      execute format('drop table if exists public.%I cascade', found.relname);
    end loop;
    drop schema if exists graphile_worker cascade;
  end $$`;

/**
 * Removes the empty tables of a database that is not used, so that the schema of the backup can be made.
 * @throws Error if the database is used
 */
export async function clearUnused(connection: Connection): Promise<void> {
  await using session = await openCopySession(connection, 'restore');
  if ((await useOf(session.ask)) === 'used') throw new Error('The database contains data.');
  await session.client.query(clearing);
}

/** Marks the database: until the mark is removed, no server starts on it. */
export async function markUnfinished(connection: Connection): Promise<void> {
  await using session = await openCopySession(connection, 'restore');
  await session.ask(sql`
    insert into public.migrations (name, run_on) values (${unfinishedRestore}, now())`);
}
