// SQL that finds principals by their names and bios.
import { justFirst, nothing, sql, takesLong } from '#database';
import type { Db, Statement } from '#database';

export interface PrincipalSearch {
  /** What a username begins with. */
  readonly username: string | undefined;
  /** A tsquery as text: names with these words, the last one perhaps longer. */
  readonly beginning: string | undefined;
  /** For each word numbers one of which a name has; none: no typos are looked for. */
  readonly nearby: readonly (readonly number[])[];
  readonly nearbyWhole: readonly number[];
  /** A tsquery as text: names and bios with these words; empty: nothing is looked for. */
  readonly words: string;
  readonly kind: string | undefined;
}

export interface FoundPrincipal {
  readonly id: string;
  readonly username: string;
  readonly display_name: string | null;
  /** PostgreSQL's rank of the words; 0 where they are not why it was found. */
  readonly rank: number;
}

/** Of each way to be found; what more there is, a longer text tells apart. */
const most = 200;

/**
 * One way to be found. Not in an order: whatever the index tells first, so that a common name costs no more.
 * What is looked for stands in a subselect, so that the planner does not know it: for a common one it would
 * go through the table until it had enough, which costs more and finds others each time.
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

/** Candidates, in no order, with the names that they have at this moment; only who may be found. */
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
