// Conversion of PostgreSQL values to JavaScript, the same on every connection.
import pg from 'pg';

const { builtins } = pg.types;

/**
 * Converts '2026-01-31 09:30:00.5+00' (session time zone UTC) to '2026-01-31T09:30:00.500Z', without a Date.
 */
function wireTimestamp(text: string): string {
  const fraction = text.length > 22 ? text.slice(20, -3).padEnd(3, '0') : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, wireTimestamp],
  [builtins.INT8, Number],
]);

/** Type parsers in the form that `pg` accepts. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ??
    (pg.types.getTypeParser(oid, format) as (
      text: string,
    ) => unknown)) as typeof pg.types.getTypeParser,
};
