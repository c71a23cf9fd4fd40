// Whether the role that the service works as could change what the audit log says.
import type { Db } from './client/session.ts';
import { sql } from './client/sql.ts';

/** `none`: it adds rows and reads them. `owner`: it could give itself more, now or as another role. */
type Power = 'none' | 'granted' | 'owner' | 'superuser';

interface RolePower {
  readonly role: string;
  readonly power: Power;
}

const words: Readonly<Record<Exclude<Power, 'none'>, string>> = {
  granted: 'may change rows of the audit log',
  owner: 'owns the audit log, and could give itself the right to change it',
  superuser: 'is a superuser, who can change the audit log',
};

/** What the role can do beside adding and reading, in a sentence for the operator; undefined: nothing. */
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
    `${row.role} ${words[row.power]}: name a role in DATABASE_URL that only adds to it, ` +
    'as docs/moderation.md says.'
  );
}
