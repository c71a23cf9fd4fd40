// Candidates among principals, by their names and bios.
import { justFirst, nothing, sql, takesLong, whenGiven } from '#database';
import type { Condition, Db, Statement } from '#database';
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
function way(conditions: readonly Condition[], rank = sql`0`, order = nothing): Statement {
  return sql`(
        select s.bucket, s.principal_id, ${rank}::float8 as rank
        from principal_search s
        ${sql.where(conditions)}
        ${order}
        ${justFirst(most)}
      )`;
}

/** Returns a scan for each criterion that the query permits; without a name it is searched by words only. */
function waysOf({ request, words }: ResolvedQuery, name: NameQuery | undefined) {
  const { username, beginning, nearby = [], nearbyWhole = [] } = name ?? {};
  const ofKind = whenGiven(request.filters.kind, (kind) => sql`s.kind = ${kind}`);
  const near = (numbers: readonly number[]) => sql`s.nearby && (select ${numbers}::integer[])`;
  const ways = [
    whenGiven(username, (text) => {
      const begins = sql`s.username >= ${text} and s.username < ${`${text}~`}`;
      return way([begins, ofKind], sql`0`, sql`order by s.username`);
    }),
    whenGiven(beginning, (text) => way([sql`s.names @@ (select ${text}::tsquery)`, ofKind])),
    nearby.length === 0 ? undefined : way([...nearby.map(near), ofKind]),
    nearbyWhole.length === 0 ? undefined : way([near(nearbyWhole), ofKind]),
    words === ''
      ? undefined
      : way(
          [sql`s.document @@ (select ${words}::tsquery)`, ofKind],
          sql`ts_rank(s.document, ${words}::tsquery, 1)`,
        ),
  ];
  return ways.filter((one) => one !== undefined);
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
