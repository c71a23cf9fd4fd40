// Statements of the public lists and counts of moderation, without targets, moderators and their texts.
import type {
  appealStatuses,
  ModerationAction,
  ModerationSource,
  ReasonCode,
  TargetType,
} from '@colophon/contract';
import { atMost, whenGiven, sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';

interface Reasons {
  readonly target_type: TargetType;
  readonly action: ModerationAction;
  readonly reason_code: ReasonCode;
  readonly source: ModerationSource;
}

export interface StatementRow extends Reasons {
  /** A hash of the action's id. The id itself would reveal the author's bucket, which its end names. */
  readonly id: string;
  readonly appeal: (typeof appealStatuses)[number] | null;
  readonly created_at: string;
}

export interface StatementFilters {
  /** From its beginning up to but excluding its end. */
  readonly month: { readonly from: Date; readonly until: Date } | undefined;
  readonly targetType: TargetType | undefined;
  readonly action: ModerationAction | undefined;
  readonly reasonCode: ReasonCode | undefined;
  readonly source: ModerationSource | undefined;
}

export interface StatementPage extends StatementFilters {
  readonly before: { readonly time: Date; readonly id: string } | undefined;
  readonly limit: number;
}

const publicId = sql`left(encode(sha256(a.id::bytea), 'hex'), 32)`;

/** Returns actions, newest first; those of the same millisecond are in the order of their public ids. */
export function listStatements(
  db: Db,
  { before, limit, month, targetType, action, reasonCode, source }: StatementPage,
): Promise<readonly StatementRow[]> {
  const time = before?.time.toISOString() ?? 'infinity';
  return db.rows(sql<StatementRow>`
    select
      ${publicId} as id, a.target_type, a.action, a.reason_code, a.source, a.created_at,
      a.appeal_status as appeal
    from moderation_actions a
    -- every bucket: the public list is one for all
    ${sql.where([
      sql`a.created_at <= ${time}::timestamptz`,
      sql`(a.created_at < ${time}::timestamptz or ${publicId} < ${before?.id ?? ''})`,
      whenGiven(month, ({ from }) => sql`a.created_at >= ${from.toISOString()}`),
      whenGiven(month, ({ until }) => sql`a.created_at < ${until.toISOString()}`),
      whenGiven(targetType, (value) => sql`a.target_type = ${value}`),
      whenGiven(action, (value) => sql`a.action = ${value}`),
      whenGiven(reasonCode, (value) => sql`a.reason_code = ${value}`),
      whenGiven(source, (value) => sql`a.source = ${value}`),
    ])}
    order by a.created_at desc, ${publicId} desc
    ${atMost(limit + 1)}`);
}

/** Returns the public statement of an action, whose id only the service knows. */
export function findStatement(db: Db, { bucket, id }: RowKey): Promise<StatementRow | undefined> {
  return db.first(sql<StatementRow>`
    select
      ${publicId} as id, a.target_type, a.action, a.reason_code, a.source, a.created_at,
      a.appeal_status as appeal
    from moderation_actions a
    where a.bucket = ${bucket} and a.id = ${id}`);
}

export interface CountRow extends Reasons {
  readonly actions: number;
  readonly appeals: number;
  readonly appeals_upheld: number;
}

/** Counts the actions from `from` up to but excluding `until`. */
export function countStatements(db: Db, from: Date, until: Date): Promise<readonly CountRow[]> {
  return db.rows(sql<CountRow>`
    select
      a.target_type, a.action, a.reason_code, a.source,
      count(*) as actions,
      count(a.appeal_status) as appeals,
      count(*) filter (where a.appeal_status = 'upheld') as appeals_upheld
    from moderation_actions a
    -- every bucket: the public counts are one for all
    where a.created_at >= ${from.toISOString()} and a.created_at < ${until.toISOString()}
    group by a.target_type, a.action, a.reason_code, a.source
    order by a.target_type, a.action, a.reason_code, a.source`);
}

export interface MonthRow {
  /** Such as 2026-01. */
  readonly month: string;
  readonly actions: number;
  readonly appeals: number;
  readonly appeals_upheld: number;
}

/** Counts the actions of each month in UTC, from `from` on. A month without actions has no row. */
export function countMonths(db: Db, from: Date): Promise<readonly MonthRow[]> {
  return db.rows(sql<MonthRow>`
    select
      to_char(a.created_at at time zone 'UTC', 'YYYY-MM') as month,
      count(*) as actions,
      count(a.appeal_status) as appeals,
      count(*) filter (where a.appeal_status = 'upheld') as appeals_upheld
    from moderation_actions a
    -- every bucket: the public counts are one for all
    where a.created_at >= ${from.toISOString()}
    group by 1
    order by 1`);
}
