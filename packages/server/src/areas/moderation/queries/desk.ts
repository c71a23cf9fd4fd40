// Statements of the moderation desk: counts, who works on what, the record of an author, one decision.
import type { ModerationSource, ReasonCode, TargetType } from '@colophon/contract';
import { whenGiven, justFirst, sql } from '#database';
import type { Db, Statement } from '#database';
import { bucketOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { closableOn } from './decided-reports.ts';
import type { Closing, ReportRow } from './decided-reports.ts';
import type { ActionRow, AppealStatus, Target } from './decisions.ts';
import type { ReportFilters } from './reports.ts';

export interface CountedReports {
  readonly kind: 'all' | 'category' | 'target_type' | 'mine' | 'appeals';
  /** The category or the type; '' for the others. */
  readonly value: string;
  readonly count: number;
}

export interface CountInput {
  readonly lapsed: Date;
  /** A constant. */
  readonly most: number;
  readonly categories: readonly string[];
  readonly types: readonly string[];
}

/** Returns the statement of one count: how many rows these are, up to `most`. */
function countUpTo(kind: CountedReports['kind'], value: string, rows: Statement, most: number) {
  return sql`
    select ${kind} as kind, ${value} as value, (
      select count(*) from (${rows} ${justFirst(most)}) as counted
    ) as count`;
}

/**
 * Counts the reports that are not closed, by category and by type, those claimed by the moderator, and open appeals:
 * each up to `most`, so that the cost does not depend on the length of the queue. A coordinator refuses one subquery
 * for a list of values, so each value has its own.
 */
export function countQueue(
  db: Db,
  moderatorId: string,
  { lapsed, most, categories, types }: CountInput,
): Promise<readonly CountedReports[]> {
  const open = sql`
    -- every bucket: the queue is one for all
    select 1 from reports r where r.status in ('open', 'reviewing')`;
  const claimed = sql`
    -- every bucket: the queue is one for all
    select 1 from reports r
    where r.claimed_by = ${moderatorId} and r.claimed_at > ${timestamp(lapsed)}`;
  const appeals = sql`
    -- every bucket: the queue is one for all
    select 1 from appeals p where p.status = 'open'`;
  const parts = [
    ...categories.map((value) =>
      countUpTo('category', value, sql`${open} and r.category = ${value}`, most),
    ),
    ...types.map((value) =>
      countUpTo('target_type', value, sql`${open} and r.target_type = ${value}`, most),
    ),
    countUpTo('mine', '', claimed, most),
    countUpTo('appeals', '', appeals, most),
  ];
  const all = countUpTo('all', '', open, most);
  return db.rows(sql<CountedReports>`
    ${parts.reduce((before, part) => sql`${before} union all ${part}`, all)}`);
}

/** Counts the reports that are not closed, up to `most`, a constant. */
export async function countOpenReports(db: Db, most: number): Promise<number> {
  const row = await db.first(sql<{ readonly count: number }>`
    select count(*) as count
    from (
      -- every bucket: the queue is one for all
      select 1 from reports r where r.status in ('open', 'reviewing') ${justFirst(most)}
    ) as counted`);
  return row?.count ?? 0;
}

/**
 * Counts the reports on one object that the moderator may close, but not the one named: up to `most`, a constant.
 */
export async function countClosable(
  db: Db,
  target: Target,
  by: Closing & { readonly reportId: string; most: number },
): Promise<number> {
  const row = await db.first(sql<{ readonly count: number }>`
    select count(*) as count
    from (
      select 1
      from reports r
      where r.bucket = ${target.bucket}
        and ${closableOn(target, by)}
        and r.id <> ${by.reportId}
      ${justFirst(by.most)}
    ) as counted`);
  return row?.count ?? 0;
}

export type ReportStateRow = Pick<ReportRow, 'id' | 'status' | 'claimed_by' | 'claimed_at'>;

/** Returns the state of these reports. */
export function listReportStates(
  db: Db,
  ids: readonly string[],
): Promise<readonly ReportStateRow[]> {
  return db.rows(sql<ReportStateRow>`
    select r.id, r.status, r.claimed_by, r.claimed_at
    from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) as wanted (bucket, id)
    join reports r on r.bucket = wanted.bucket and r.id = wanted.id
    order by r.id`);
}

/** Returns the oldest open report after another one. */
export function findNextOpen(
  db: Db,
  after: string | undefined,
  { category, targetType, lapsed }: Pick<ReportFilters, 'category' | 'targetType' | 'lapsed'>,
): Promise<Pick<ReportRow, 'id'> | undefined> {
  return db.first(sql<Pick<ReportRow, 'id'>>`
    -- every bucket: the queue is one for all
    select r.id
    from reports r
    ${sql.where([
      sql`r.status in ('open', 'reviewing')
      and (r.status = 'open' or r.claimed_at <= ${timestamp(lapsed)})`,
      whenGiven(category, (value) => sql`r.category = ${value}`),
      whenGiven(targetType, (value) => sql`r.target_type = ${value}`),
      whenGiven(after, (id) => sql`r.id > ${id}`),
    ])}
    order by r.id
    limit 1`);
}

/** Returns the actions on the works and the account of an author, newest first. */
export function listRecord(db: Db, authorId: string, limit: number): Promise<readonly ActionRow[]> {
  return db.rows(sql<ActionRow>`
    select
      a.id, a.target_type, a.target_id, a.action, a.reason_code, a.reason_text, a.source, a.report_id,
      a.moderator_id, a.created_at, a.lifted_at, a.lifted_by_id, a.appeal_status
    from moderation_actions a
    -- every bucket: comments are stored with the articles of others
    where a.author_id = ${authorId}
    order by a.id desc
    ${justFirst(limit)}`);
}

/** An action of a notification: whom it is about, and what decides whether it can be appealed. */
export interface ActionStateRow extends Pick<
  DecisionRow,
  'id' | 'author_id' | 'action' | 'created_at' | 'lifted_at' | 'appeal_status'
> {}

/** Returns who wrote, or is, what these actions were about. */
export function listActionAuthors(
  db: Db,
  ids: readonly string[],
): Promise<readonly ActionStateRow[]> {
  return db.rows(sql<ActionStateRow>`
    select a.id, a.author_id, a.action, a.created_at, a.lifted_at, a.appeal_status
    from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) as wanted (bucket, id)
    join moderation_actions a on a.bucket = wanted.bucket and a.id = wanted.id
    order by a.id`);
}

/** An action as its parties read it, with the appeal. */
export interface DecisionRow {
  readonly id: string;
  readonly target_type: TargetType;
  readonly target_id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly action: ActionRow['action'];
  readonly reason_code: ReasonCode;
  readonly reason_text: string | null;
  readonly source: ModerationSource;
  readonly created_at: string;
  readonly lifted_at: string | null;
  readonly appeal_status: AppealStatus | null;
  readonly appeal_text: string | null;
  readonly appealed_at: string | null;
  readonly resolution: string | null;
  readonly resolved_at: string | null;
}

export function findDecision(db: Db, { bucket, id }: RowKey): Promise<DecisionRow | undefined> {
  return db.first(sql<DecisionRow>`
    select
      a.id, a.target_type, a.target_id, a.author_id, a.owner_principal_id, a.action, a.reason_code,
      a.reason_text, a.source, a.created_at, a.lifted_at, a.appeal_status, p.text as appeal_text,
      p.created_at as appealed_at, p.resolution, p.resolved_at
    from moderation_actions a
    left join appeals p on p.bucket = a.bucket and p.action_id = a.id
    where a.bucket = ${bucket} and a.id = ${id}`);
}
