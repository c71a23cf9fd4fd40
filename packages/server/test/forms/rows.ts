// What a database contains, table by table: equal before and after a request that changed nothing.
import pg from 'pg';
import type { TestServer } from '../harness.ts';

/** Tables that the pipeline fills in its own time, and texts that are rendered when they are first read. */
const later =
  /^(?:article_(?:count_deltas|search|supporters|topics|trends)|citation|comment_search|derived|incoming_edges|og_images|outbox|principal_search|reindex_|renderings|search_|sitemap_|topics)/;

/** Columns that show a use and no change, and counts that are folded later: the rows that they count are read. */
const ofUse = [
  'last_used_at',
  'network',
  'device',
  'comments_count',
  'edges_in_count',
  'edges_out_count',
];

export interface Rows extends AsyncDisposable {
  /** Returns the number of rows of each table and a hash of them. */
  state(): Promise<Readonly<Record<string, string>>>;
}

/** Opens a connection that reads every table of the service. */
export async function openRows({ services }: Pick<TestServer, 'services'>): Promise<Rows> {
  const client = new pg.Client(services.connection);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in (select c.relname from pg_class c where c.relispartition)
     order by 1`,
  );
  const tables = rows.map(({ name }) => name).filter((name) => !later.test(name));
  const used = ofUse.map((name) => `'${name}'`).join(', ');
  const counts = tables.map(
    (name) =>
      `select '${name}' as name, count(*) || ' ' ||
         coalesce(sum(hashtextextended((to_jsonb(t) - array[${used}])::text, 0)), 0) as state
       from ${name} t`,
  );
  const everything = counts.join(' union all ');
  return {
    state: async () => {
      const read = await client.query<{ name: string; state: string }>(everything);
      return Object.fromEntries(read.rows.map(({ name, state }) => [name, state]));
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
