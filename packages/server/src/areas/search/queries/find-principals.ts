// Candidates among principals, by their names and bios.
import { justFirst, nothing, sql, takesLong } from '#database';
import type { Db, Statement } from '#database';
import type { NameQuery } from '../rules/names.ts';
import type { ResolvedQuery } from '../rules/search-request.ts';

export interface FoundPrincipal {
  readonly id: string;
  readonly username: string;
  readonly display_name: string | null;
  /** PostgreSQL's rank of the words; 0 if the match is not by words. */
  readonly rank: number;
}

/** The maximum number of matches by each criterion; a longer query narrows down further ones. */
const most = 200;

/**
 * Matches by one criterion, in the order of the index, so that a common name costs no more. The search
 * terms are in a subselect, to hide them from the planner: for a common term it would scan the table until
 * it had enough rows, which costs more and finds different rows each time.
 */
function way(condition: Statement, kind: string | undefined, rank: Statement = sql`0`): Statement {
  return sql`(
        select s.bucket, s.principal_id, ${rank}::float8 as rank
        from principal_search s
        where ${condition}${
          kind === undefined
            ? nothing
            : sql`
          and s.kind = ${kind}`
        }
        ${justFirst(most)}
      )`;
}

function byUsername(username: string, kind: string | undefined): Statement {
  return sql`(
        select s.bucket, s.principal_id, 0::float8 as rank
        from principal_search s
        where s.username >= ${username}
          and s.username < ${`${username}~`}${
            kind === undefined
              ? nothing
              : sql`
          and s.kind = ${kind}`
          }
        order by s.username
        ${justFirst(most)}
      )`;
}

function allNearby(nearby: NameQuery['nearby']): Statement {
  return nearby
    .map((numbers) => sql`s.nearby && (select ${numbers}::integer[])`)
    .reduce(
      (all, one) => sql`${all}
          and ${one}`,
    );
}

/** Returns a scan for each criterion that the query permits; without a name it is searched by words only. */
function waysOf({ request, words }: ResolvedQuery, name: NameQuery | undefined) {
  const { kind } = request.filters;
  const { username, beginning, nearby = [], nearbyWhole = [] } = name ?? {};
  return [
    ...(username === undefined ? [] : [byUsername(username, kind)]),
    ...(beginning === undefined ? [] : [way(sql`s.names @@ (select ${beginning}::tsquery)`, kind)]),
    ...(nearby.length === 0 ? [] : [way(allNearby(nearby), kind)]),
    ...(nearbyWhole.length === 0 ? [] : [way(allNearby([nearbyWhole]), kind)]),
    ...(words === ''
      ? []
      : [
          way(
            sql`s.document @@ (select ${words}::tsquery)`,
            kind,
            sql`ts_rank(s.document, ${words}::tsquery, 1)`,
          ),
        ]),
  ];
}

/** Returns candidates in no particular order, with their present names, of principals that may be found. */
export async function listFoundPrincipals(
  db: Db,
  query: ResolvedQuery,
  name: NameQuery | undefined,
): Promise<readonly FoundPrincipal[]> {
  const ways = waysOf(query, name);
  if (ways.length === 0) return [];
  const found = ways.reduce(
    (all, one) => sql`${all}
      union all
      ${one}`,
  );
  return db.rows(
    takesLong(sql<FoundPrincipal>`
    -- every bucket: a search is over all principals
    with found as materialized (
      ${found}
    ), once as materialized (
      select bucket, principal_id, max(rank) as rank
      from found
      group by bucket, principal_id
    )
    select p.id, p.username, p.display_name, once.rank
    from once
    join principals p on p.bucket = once.bucket and p.id = once.principal_id
    where p.status <> 'closed'
      and p.closed_at is null
      and not p.deindexed
    order by p.id`),
  );
}
