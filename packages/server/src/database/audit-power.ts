// Checks whether the role of the service could change entries of the audit log.
import type { Db } from './client/session.ts';
import { sql } from './client/sql.ts';

/** `none`: the role can add and read rows. `owner`: it could grant itself more, now or as another role. */
type Power = 'none' | 'granted' | 'owner' | 'superuser';

interface RolePower {
  readonly role: string;
  readonly power: Power;
}

const words: Readonly<Record<Exclude<Power, 'none'>, string>> = {
  granted: 'can change rows of the audit log',
  owner: 'owns the audit log and could grant itself the right to change it',
  superuser: 'is a superuser and can change the audit log',
};

/**
 * Returns what the role can do besides adding and reading, in a sentence for the operator; undefined if
 * nothing.
 */
export async function auditPower(db: Db): Promise<string | undefined> {
  const row = await db.first(sql<RolePower>`
    select
      current_user::text as role,
      case
        when r.rolsuper then 'superuser'
        when pg_has_role(current_user, c.relowner, 'member') then 'owner'
        when has_table_privilege(c.oid, 'update, delete, truncate') then 'granted'
        else 'none'
      end as power
    from pg_class c
    join pg_roles r on r.rolname = current_user
    where c.oid = 'audit_log'::regclass`);
  if (row === undefined || row.power === 'none') return undefined;
  return (
    `${row.role} ${words[row.power]}: name a role in DATABASE_URL that can only add rows, ` +
    'as described in docs/moderation.md.'
  );
}
