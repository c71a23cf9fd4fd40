// The requirements of a database: PostgreSQL 15 or later, in UTF-8, and a role that may create tables in it.
import { sql } from './client/sql.ts';

export interface Engine {
  /** `server_version_num`: 150004 is 15.4. */
  readonly version: number;
  readonly encoding: string;
}

const oldest = 15;

/** Returns why the service cannot use the database, as a sentence for the operator; undefined if it can. */
export function unfitness({ version, encoding }: Engine): string | undefined {
  const major = Math.floor(version / 10_000);
  if (major < oldest) {
    return `DATABASE_URL names a PostgreSQL ${major} server: set it to one of version ${oldest} or later.`;
  }
  if (encoding !== 'UTF8') {
    return (
      `DATABASE_URL names a database whose encoding is ${encoding}: set it to one in UTF8, ` +
      "created with \"create database colophon encoding 'UTF8' locale 'C.UTF-8' template template0\"."
    );
  }
  return undefined;
}

/**
 * Whether the dictionaries of the text search know capital letters beyond ASCII. With the locale C of the system's
 * library, they do not: a search for été would not find ÉTÉ.
 */
export const knowsCapitals = sql<{ known: boolean }>`
  select ts_lexize('simple', 'É') = array['é'] as known`;

export interface Rights {
  /** Whether no migration was applied yet, so that the first start has to create everything. */
  readonly fresh: boolean;
  readonly may_create: boolean;
  /** Both as they are written in SQL. */
  readonly role: string;
  readonly database: string;
}

/** Returns why the role cannot create the tables of a new database, as a sentence; undefined if it can. */
export function lackOfRights({ fresh, may_create, role, database }: Rights): string | undefined {
  if (!fresh || may_create) return undefined;
  return (
    `The role ${role} of DATABASE_URL may not create tables in the database ${database}: make it the owner ` +
    `("alter database ${database} owner to ${role}"), or set DATABASE_URL to a role that owns the database.`
  );
}
