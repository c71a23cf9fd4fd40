// Clean: the driver's place, with the tag and the types that other files here need.
import pg from 'pg';

export interface Db {
  readonly rows: (statement: string) => Promise<readonly unknown[]>;
}

export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  return strings.join(String(values.length));
}

sql.where = (conditions: readonly string[]): string => conditions.join();

export async function open(): Promise<void> {
  await new pg.Client().connect();
}
