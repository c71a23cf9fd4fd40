// The requirements of a database: PostgreSQL 15 or later, in UTF-8.

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
      'created with "create database colophon encoding \'UTF8\' template template0".'
    );
  }
  return undefined;
}
