// Statements on treating the works of authors who left: what is done, how far it has come.
import type { Treatment } from '@colophon/contract';
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';

/** A person who left; the works of the agents are treated like their own. */
export interface Leaver {
  readonly bucket: number;
  readonly id: string;
  readonly treatment: Treatment;
}

/** Begins the treatment of a leaver and every agent of theirs. Again: nothing. */
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

/** Authors of a leaver whose works are not all treated yet. */
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

export interface Author {
  readonly bucket: number;
  readonly id: string;
}

/** Holds the treatment; whoever waited goes on where the other one stopped. */
export async function lockTreatment(tx: Tx, author: Author): Promise<string | undefined> {
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

export function listWorks(
  tx: Tx,
  author: Author,
  after: string,
  limit: number,
): Promise<readonly Work[]> {
  return tx.rows(sql<Work>`
    select id, status, published_revision_id is not null as published
    from articles
    where bucket = ${author.bucket} and author_id = ${author.id} and id > ${after}
    order by id
    ${justFirst(limit)}`);
}

/** The text stays, and nobody gets it any more. A hidden work does not come back by being shown again. */
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

export function setTreated(tx: Tx, author: Author, step: Step): Promise<number> {
  return tx.run(sql`
    update article_treatments
    set after_id = ${step.after}, done = done + ${step.count},
      finished_at = case when ${step.last} then ${step.now.toISOString()}::timestamptz end
    where bucket = ${author.bucket} and author_id = ${author.id}`);
}

/** What is done, or was, with the works of an author who left; undefined for everybody else. */
export async function findTreatment(tx: Tx, author: Author): Promise<Treatment | undefined> {
  const row = await tx.first(sql<{ treatment: Treatment }>`
    select treatment
    from article_treatments
    where bucket = ${author.bucket} and author_id = ${author.id}`);
  return row?.treatment;
}

export interface TreatmentProgress {
  readonly authors: number;
  readonly done: number;
  readonly total: number;
}

/** How far the treatments under way have come, all together. */
export async function findTreatmentProgress(db: Db): Promise<TreatmentProgress> {
  const row = await db.first(sql<TreatmentProgress>`
    -- every bucket: the operator's view
    select count(*)::integer as authors, coalesce(sum(done), 0)::integer as done,
      coalesce(sum(total), 0)::integer as total
    from article_treatments
    where finished_at is null`);
  return row ?? { authors: 0, done: 0, total: 0 };
}
