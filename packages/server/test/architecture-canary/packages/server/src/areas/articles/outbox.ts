// SQL outside queries.
import { sql } from '#database';

export const stray = sql`select 1`;

export async function lost(query: (text: string) => Promise<number>): Promise<number> {
  const second = query('b');
  const first = await query('a');
  return first + (await second);
}
