// The role of the service: it reads and writes rows, changes no table, and only adds to the audit log.
import pg from 'pg';
import { lockNumbers, lockSpace } from './advisory-locks.ts';

const name = 'colophon_service';

/**
 * Granted again after every migration, which may have created tables. The queue's tables have row security
 * without a policy, which the role must bypass.
 */
const privileges = `
  do $$
  begin
    if not exists (select from pg_roles where rolname = '${name}') then
      create role ${name} login bypassrls;
    end if;
  exception when duplicate_object or unique_violation then
    -- Another database of the same server created it at the same time.
    null;
  end $$;
  grant usage on schema public, graphile_worker to ${name};
  grant select, insert, update, delete on all tables in schema public, graphile_worker to ${name};
  grant usage, select on all sequences in schema public, graphile_worker to ${name};
  grant execute on all functions in schema graphile_worker to ${name};
  revoke insert, update, delete on migrations from ${name};
  revoke update, delete, truncate on audit_log from ${name}`;

/**
 * Creates the role in a migrated database, grants its privileges, and returns the same connection with that
 * role. The given connection must be that of a superuser without a password, as in the embedded database. The
 * service then has no privilege to change entries of the audit log.
 */
export async function asServiceRole(connection: pg.ClientConfig): Promise<pg.ClientConfig> {
  const client = new pg.Client({ application_name: 'colophon-migrate', ...connection });
  // A connection lost between two statements is reported by the next one.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(
      `begin; select pg_advisory_xact_lock(${lockSpace}, ${lockNumbers.serviceRole})`,
    );
    await client.query(privileges);
    await client.query('commit');
  } finally {
    await client.end();
  }
  return { ...connection, user: name };
}
