// Writes a table of another area.
import { sql } from '#database';

export const rename = (bucket: number, id: string): string => sql`
  update articles
  set title = ''
  where bucket = ${bucket}
    and id = ${id}`;

export interface Place {
  readonly bucket: number;
  readonly id: string;
}
