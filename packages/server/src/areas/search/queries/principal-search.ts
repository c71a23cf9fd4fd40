// Statements that search principals by their names and bios.
import { justFirst, nothing, sql, takesLong } from '#database';
import type { Db, Statement } from '#database';

export interface PrincipalSearch {
  /** The prefix of a username. */
  readonly username: string | undefined;
  /** A tsquery as text: names with these words, the last one as a prefix. */
  readonly beginning: string | undefined;
  /** For each word, numbers of which a name must have one; empty: typos are not searched for. */
  readonly nearby: readonly (readonly number[])[];
  readonly nearbyWhole: readonly number[];
  /** A tsquery as text: names and bios with these words; empty: no search by words. */
  readonly words: string;
  readonly kind: string | undefined;
}

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
function way(condition: Statement, { kind }: PrincipalSearch, rank: Statement = sql`0`): Statement {
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

function byUsername(username: string, search: PrincipalSearch): Statement {
  return sql`(
        select s.bucket, s.principal_id, 0::float8 as rank
        from principal_search s
        where s.username >= ${username}
          and s.username < ${`${username}~`}${
            search.kind === undefined
              ? nothing
              : sql`
          and s.kind = ${search.kind}`
          }
        order by s.username
        ${justFirst(most)}
      )`;
}

function allNearby(nearby: PrincipalSearch['nearby']): Statement {
  return nearby
    .map((numbers) => sql`s.nearby && (select ${numbers}::integer[])`)
    .reduce(
      (all, one) => sql`${all}
          and ${one}`,
    );
}

function waysOf(search: PrincipalSearch): readonly Statement[] {
  const { username, beginning, nearby, nearbyWhole, words } = search;
  return [
    ...(username === undefined ? [] : [byUsername(username, search)]),
    ...(beginning === undefined
      ? []
      : [way(sql`s.names @@ (select ${beginning}::tsquery)`, search)]),
    ...(nearby.length === 0 ? [] : [way(allNearby(nearby), search)]),
    ...(nearbyWhole.length === 0 ? [] : [way(allNearby([nearbyWhole]), search)]),
    ...(words === ''
      ? []
      : [
          way(
            sql`s.document @@ (select ${words}::tsquery)`,
            search,
            sql`ts_rank(s.document, ${words}::tsquery, 1)`,
          ),
        ]),
  ];
}

/** Returns candidates in no particular order, with their present names, of principals that may be found. */
export async function listFoundPrincipals(
  db: Db,
  search: PrincipalSearch,
): Promise<readonly FoundPrincipal[]> {
  const ways = waysOf(search);
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
