// Statements on leaves: waiting ones, numbered ones, and the salts of publications.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import { logBucket } from './bucket.ts';

export interface WaitingLeaf {
  readonly cause: string;
  readonly ticket: string;
  readonly entry: string;
  readonly articleId: string | null;
  readonly salt: Buffer | null;
}

/**
 * Inserts leaves that wait for their numbers. A cause that the log knows is left out. Sort them by their causes,
 * so that two transactions that insert the same ones cannot deadlock.
 */
export function insertLeaves(tx: Tx, leaves: readonly WaitingLeaf[]): Promise<number> {
  return tx.run(sql`
    insert into log_leaves (bucket, cause, ticket, entry, article_id, salt)
    select ${logBucket}::smallint, given.cause, given.ticket, given.entry, given.article_id, given.salt
    from unnest(
      ${leaves.map(({ cause }) => cause)}::text[], ${leaves.map(({ ticket }) => ticket)}::text[],
      ${leaves.map(({ entry }) => entry)}::text[],
      ${leaves.map(({ articleId }) => articleId)}::text[], ${leaves.map(({ salt }) => salt)}::bytea[]
    ) as given (cause, ticket, entry, article_id, salt)
    on conflict on constraint log_leaves_cause_pkey
    do nothing`);
}

/** Deletes the salts of erased articles: their commitments then say nothing about any text. */
export function deleteSalts(tx: Tx, articleIds: readonly string[]): Promise<number> {
  return tx.run(sql`
    update log_leaves
    set salt = null, article_id = null
    where bucket = ${logBucket} and article_id = any(${articleIds}) and salt is not null`);
}

/** The number of leaves that enter the tree in one transaction. */
export const leavesAtOnce = 1_000;

/** Returns the leaves that have waited longest. */
export function listWaiting(
  tx: Tx,
): Promise<readonly { readonly cause: string; readonly entry: string }[]> {
  return tx.rows(sql<{ cause: string; entry: string }>`
    select cause, entry
    from log_leaves
    where bucket = ${logBucket} and number is null
    order by ticket
    ${justFirst(leavesAtOnce)}`);
}

/** Gives leaves their numbers, beginning with `first`. */
export function setNumbers(tx: Tx, causes: readonly string[], first: number): Promise<number> {
  return tx.run(sql`
    update log_leaves
    set number = ${first}::bigint + given.position - 1
    from unnest(${causes}::text[]) with ordinality as given (cause, position)
    where log_leaves.bucket = ${logBucket}
      and log_leaves.cause = given.cause
      and log_leaves.number is null`);
}

/**
 * Gives waiting leaves the numbers under which they were published: those of the entries from `first` on that
 * wait. Returns the numbers.
 */
export async function setPublishedNumbers(
  tx: Tx,
  entries: readonly string[],
  first: number,
): Promise<readonly number[]> {
  const rows = await tx.rows(sql<{ number: number }>`
    update log_leaves
    set number = ${first}::bigint + given.position - 1
    from unnest(${entries}::text[]) with ordinality as given (entry, position)
    where log_leaves.bucket = ${logBucket}
      and log_leaves.number is null
      and log_leaves.entry = given.entry
    returning number`);
  return rows.map(({ number }) => number);
}

/** Inserts leaves of a published tree that the database lost. */
export function insertNumbered(
  tx: Tx,
  entries: readonly { readonly number: number; readonly entry: string }[],
): Promise<number> {
  return tx.run(sql`
    insert into log_leaves (bucket, cause, ticket, entry, number)
    select ${logBucket}::smallint, 'recovered/' || given.number, '', given.entry, given.number
    from unnest(
      ${entries.map(({ number }) => number)}::bigint[], ${entries.map(({ entry }) => entry)}::text[]
    ) as given (number, entry)
    order by given.number`);
}

/** Returns the entries with the numbers from `first` up to but not including `end`, in their order. */
export async function listEntries(db: Db, first: number, end: number): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ entry: string }>`
    select entry
    from log_leaves
    where bucket = ${logBucket} and number >= ${first} and number < ${end}
    order by number`);
  return rows.map(({ entry }) => entry);
}

export interface Waiting {
  readonly count: number;
  /** The ticket of the oldest one. */
  readonly oldest: string | null;
}

/** Returns the ticket of the first leaf of the tree with this number or a later one. */
export async function findTicket(db: Db, number: number): Promise<string | null> {
  const row = await db.first(sql<{ ticket: string }>`
    select ticket
    from log_leaves
    where bucket = ${logBucket} and number >= ${number}
    order by number
    ${justFirst(1)}`);
  return row?.ticket ?? null;
}

/** Counts the leaves that wait for a number, up to 100,000. */
export async function countWaiting(db: Db): Promise<Waiting> {
  const row = await db.first(sql<Waiting>`
    select count(*)::integer as count, min(waiting.ticket) as oldest
    from (
      select ticket
      from log_leaves
      where bucket = ${logBucket} and number is null
      order by ticket
      ${justFirst(100_000)}
    ) as waiting`);
  return row ?? { count: 0, oldest: null };
}
