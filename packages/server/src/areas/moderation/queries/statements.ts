// Statements of the public lists and counts of moderation, without targets, moderators and their texts.
import type {
  appealStatuses,
  ModerationAction,
  ModerationSource,
  ReasonCode,
  TargetType,
} from '@colophon/contract';
import { atMost, sql } from '#database';
import type { Db } from '#database';

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

export interface StatementPage {
  readonly before: { readonly time: Date; readonly id: string } | undefined;
  readonly limit: number;
}

const publicId = sql`left(encode(sha256(a.id::bytea), 'hex'), 32)`;

/** Returns actions, newest first; those of the same millisecond are in the order of their public ids. */
export function listStatements(
  db: Db,
  { before, limit }: StatementPage,
): Promise<readonly StatementRow[]> {
  const time = before?.time.toISOString() ?? 'infinity';
  return db.rows(sql<StatementRow>`
    select
      ${publicId} as id, a.target_type, a.action, a.reason_code, a.source, a.created_at,
      a.appeal_status as appeal
    from moderation_actions a
    -- every bucket: the public list is one for all
    where a.created_at <= ${time}::timestamptz
      and (a.created_at < ${time}::timestamptz or ${publicId} < ${before?.id ?? ''})
    order by a.created_at desc, ${publicId} desc
    ${atMost(limit + 1)}`);
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
