// Statements on the works of an account and its agents, which closing the account treats.
import { justFirst, sql } from '#database';
import type { Db, Statement } from '#database';
import type { RowKey } from '#lib/id';

/** Each count stops at the maximum that was asked for. */
export interface Works {
  readonly articles: number;
  readonly drafts: number;
  /** In any state. */
  readonly comments: number;
  readonly agents: number;
  readonly agent_articles: number;
  readonly agent_drafts: number;
  readonly agent_comments: number;
}

const published = sql`a.status in ('published', 'hidden')`;
const draft = sql`a.status = 'draft'`;

/** Counts the works of an account, and those of its agents, in one statement that reads a bounded number of rows. */
export async function countWorks(db: Db, { bucket, id }: RowKey, most: number): Promise<Works> {
  const own = (status: Statement) => sql`(
      select count(one)::integer
      from (
        select 1 as one
        from articles a
        where a.bucket = ${bucket} and a.author_id = ${id} and ${status}
        ${justFirst(most)}
      ) as counted
    )`;
  const ofAgents = (status: Statement) => sql`(
      select count(one)::integer
      from (
        select 1 as one
        from principals g
        join articles a on a.bucket = g.bucket and a.author_id = g.id
        where g.bucket = ${bucket} and g.owner_principal_id = ${id} and ${status}
        ${justFirst(most)}
      ) as counted
    )`;
  const row = await db.first(sql<Works>`
    select
      ${own(published)} as articles,
      ${own(draft)} as drafts,
      (
        select count(one)::integer
        from (
          select 1 as one
          from comments_by_author c
          where c.bucket = ${bucket} and c.author_id = ${id}
          ${justFirst(most)}
        ) as counted
      ) as comments,
      (
        select count(one)::integer
        from (
          select 1 as one
          from principals g
          where g.bucket = ${bucket} and g.owner_principal_id = ${id}
          ${justFirst(most)}
        ) as counted
      ) as agents,
      ${ofAgents(published)} as agent_articles,
      ${ofAgents(draft)} as agent_drafts,
      (
        select count(one)::integer
        from (
          select 1 as one
          from principals g
          join comments_by_author c on c.bucket = g.bucket and c.author_id = g.id
          where g.bucket = ${bucket} and g.owner_principal_id = ${id}
          ${justFirst(most)}
        ) as counted
      ) as agent_comments`);
  if (row === undefined) throw new Error('A statement without a table has one row.');
  return row;
}
