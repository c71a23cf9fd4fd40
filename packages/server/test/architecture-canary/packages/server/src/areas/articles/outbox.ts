// SQL outside queries.
import { sql } from '#database';

export const stray = sql`select 1`;
