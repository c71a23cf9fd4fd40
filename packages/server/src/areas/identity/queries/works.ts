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
  const upTo = (rows: Statement) => sql`(
      select count(one)::integer
      from (
        select 1 as one
        ${rows}
        ${justFirst(most)}
      ) as counted
    )`;
  const own = (status: Statement) =>
    upTo(sql`from articles a
        where a.bucket = ${bucket} and a.author_id = ${id} and ${status}`);
  // Each agent is looked up, because a join would rather read the works of everybody. In their order, because
  // without one the planner rather reads all accounts where many of them are agents of one owner.
  const ofAgents = (works: Statement) =>
    upTo(sql`from principals g
        cross join lateral (
          ${works}
          ${justFirst(most)}
        ) as w
        where g.bucket = ${bucket} and g.owner_principal_id = ${id}
        order by g.id desc`);
  const articlesWith = (status: Statement) =>
    ofAgents(sql`select 1
          from articles a
          where a.bucket = ${bucket} and a.author_id = g.id and ${status}`);
  const comments = sql`select 1
          from comments_by_author c
          where c.bucket = ${bucket} and c.author_id = g.id`;
  const row = await db.first(sql<Works>`
    select
      ${own(published)} as articles,
      ${own(draft)} as drafts,
      ${upTo(sql`from comments_by_author c
          where c.bucket = ${bucket} and c.author_id = ${id}`)} as comments,
      ${upTo(sql`from principals g
          where g.bucket = ${bucket} and g.owner_principal_id = ${id}
          order by g.id desc`)} as agents,
      ${articlesWith(published)} as agent_articles,
      ${articlesWith(draft)} as agent_drafts,
      ${ofAgents(comments)} as agent_comments`);
  if (row === undefined) throw new Error('A statement without a table has one row.');
  return row;
}
