// Closing accounts through the API, and looking at what is left of them.
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import type { Human, Response, TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

export function closeAccount(
  server: TestServer,
  { id, token }: Pick<Human, 'id' | 'token'>,
  articles: string,
  { key = true, ...members }: { readonly reason?: string; readonly key?: string | true } = {},
): Promise<Response> {
  const body = { confirm: 'close', articles, ...members };
  return server.ask('POST', `/v1/principals/${id}/close`, { token, key, body });
}

/** Waits until the pipeline has treated and forgotten everything of a closed account. */
export async function untilTreated(server: TestServer, id: string): Promise<void> {
  const bucket = bucketOf(id);
  await until('the account is forgotten', async () => {
    // Each subquery has a column: a distributed database would refuse it without one.
    const row = await server.db.first(sql<{ done: boolean }>`
        select
          exists (
            select 1 from closings
            where bucket = ${bucket} and principal_id = ${id} and forgotten_at is not null
          )
          and exists (
            select 1 from article_treatments where bucket = ${bucket} and author_id = ${id}
          )
          and not exists (
            select 1 from article_treatments
            where bucket = ${bucket} and finished_at is null
          )
          and not exists (select 1 from outbox where bucket = ${bucket})
          and not exists (
            select 1
            from graphile_worker._private_jobs
            cross join lateral json_array_elements(
              case
                when json_typeof(payload) = 'array' then payload
                else json_build_array(payload)
              end
            ) as message
            where message ->> 'bucket' = ${String(bucket)}
          ) as done`);
    return row?.done === true;
  });
}

/** Names of the tables in which a text stands somewhere. */
export async function rowsContaining(server: TestServer, text: string): Promise<readonly string[]> {
  const tables = await server.db.rows(sql<{ name: string; holds: boolean }>`
    select
      t.table_name as name,
      (
        xpath(
          '/row/found/text()',
          query_to_xml(
            format('select count(*) as found from %I t where t::text ilike %L', t.table_name, ${`%${text}%`}::text),
            false, true, ''
          )
        )
      )[1]::text <> '0' as holds
    from information_schema.tables t
    where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
    order by t.table_name`);
  return tables.filter(({ holds }) => holds).map(({ name }) => name);
}
