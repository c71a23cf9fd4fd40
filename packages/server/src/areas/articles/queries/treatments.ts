// Statements on treating the works of closed accounts, and on the progress of treatments.
import type { Treatment } from '@colophon/contract';
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

/** A closed account; the works of its agents are treated like its own. */
export interface Leaver extends RowKey {
  readonly treatment: Treatment;
}

/** Starts the treatment of a closed account and each of its agents. A second call inserts nothing. */
export function insertTreatments(tx: Tx, leaver: Leaver, now: Date): Promise<number> {
  return tx.run(sql`
    insert into article_treatments (bucket, author_id, treatment, total, started_at)
    select p.bucket, p.id, ${leaver.treatment}, count(a.id)::integer, ${now.toISOString()}::timestamptz
    from principals p
    left join articles a on a.bucket = p.bucket and a.author_id = p.id
    where p.bucket = ${leaver.bucket} and ${leaver.id} in (p.id, p.owner_principal_id)
    group by p.bucket, p.id
    on conflict on constraint article_treatments_author_id_pkey
    do nothing`);
}

/** Returns the authors of a closed account whose works are not all treated yet. */
export async function listUntreated(db: Db, leaver: Leaver): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ author_id: string }>`
    select t.author_id
    from principals p
    join article_treatments t on t.bucket = p.bucket and t.author_id = p.id
    where p.bucket = ${leaver.bucket}
      and ${leaver.id} in (p.id, p.owner_principal_id)
      and t.finished_at is null
    order by t.author_id`);
  return rows.map((row) => row.author_id);
}

/** Locks the treatment and returns its cursor; a caller that waited continues where the other one stopped. */
export async function lockTreatment(tx: Tx, author: RowKey): Promise<string | undefined> {
  const row = await tx.first(sql<{ after_id: string }>`
    select after_id
    from article_treatments
    where bucket = ${author.bucket} and author_id = ${author.id} and finished_at is null
    for update`);
  return row?.after_id;
}

export interface Work {
  readonly id: string;
  readonly status: string;
  readonly published: boolean;
}

/**
 * Locks the next works in the order of their ids and returns them. Those in any state: a moderator's restoration that
 * has begun before the account was closed ends first, and its work is found restored.
 */
export function lockWorks(
  tx: Tx,
  author: RowKey,
  after: string,
  limit: number,
): Promise<readonly Work[]> {
  return tx.rows(sql<Work>`
    select id, status, published_revision_id is not null as published
    from articles
    where bucket = ${author.bucket} and author_id = ${author.id} and id > ${after}
    order by id
    ${justFirst(limit)}
    for no key update`);
}

/**
 * Unpublishes works; the text stays stored but is not readable. Hidden works too, so that ending the hiding
 * does not bring them back.
 */
export function setUnpublished(
  tx: Tx,
  bucket: number,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update articles
    set status = 'unpublished', removed_at = ${now.toISOString()}, updated_at = ${now.toISOString()}
    where bucket = ${bucket} and id = any(${ids}) and status in ('published', 'hidden')`);
}

export interface Step {
  readonly after: string;
  readonly count: number;
  readonly last: boolean;
  readonly now: Date;
}

export function setTreated(tx: Tx, author: RowKey, step: Step): Promise<number> {
  return tx.run(sql`
    update article_treatments
    set after_id = ${step.after}, done = done + ${step.count},
      finished_at = case when ${step.last} then ${step.now.toISOString()}::timestamptz end
    where bucket = ${author.bucket} and author_id = ${author.id}`);
}

export interface TreatmentProgress {
  readonly authors: number;
  readonly done: number;
  readonly total: number;
}

/** Returns the total progress of all open treatments. */
export async function findTreatmentProgress(db: Db): Promise<TreatmentProgress> {
  const row = await db.first(sql<TreatmentProgress>`
    -- every bucket: the operator's view
    select count(*)::integer as authors, coalesce(sum(done), 0)::integer as done,
      coalesce(sum(total), 0)::integer as total
    from article_treatments
    where finished_at is null`);
  return row ?? { authors: 0, done: 0, total: 0 };
}
