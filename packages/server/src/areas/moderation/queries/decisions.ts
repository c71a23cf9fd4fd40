// Statements of a decision: recording an action and lifting it, and resolving an appeal against it.
import type {
  appealStatuses,
  ModerationAction,
  ModerationSource,
  ReasonCode,
  TargetType,
} from '@colophon/contract';
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { Moderated } from '#lib/moderated';
import type { RowKey } from '#lib/id';

export interface ActionRow {
  readonly id: string;
  readonly target_type: TargetType;
  readonly target_id: string;
  readonly action: ModerationAction;
  readonly reason_code: ReasonCode;
  readonly reason_text: string | null;
  readonly source: ModerationSource;
  readonly report_id: string | null;
  /** null: the operator. */
  readonly moderator_id: string | null;
  readonly created_at: string;
  readonly lifted_at: string | null;
  readonly lifted_by_id: string | null;
  readonly appeal_status: AppealStatus | null;
}

export interface Target extends RowKey {
  readonly type: TargetType;
}

/** What is stored of the target with the action. */
export interface Acted {
  readonly bucket: number;
  readonly authorId: string;
  readonly ownerId: string | null;
  readonly previous: Moderated;
}

export function insertAction(tx: Tx, row: ActionRow, acted: Acted): Promise<number> {
  return tx.run(sql`
    insert into moderation_actions (
      bucket, id, target_type, target_id, author_id, owner_principal_id, action, reason_code,
      reason_text, source, report_id, moderator_id, previous, created_at
    )
    values (
      ${acted.bucket}, ${row.id}, ${row.target_type}, ${row.target_id}, ${acted.authorId},
      ${acted.ownerId}, ${row.action}, ${row.reason_code}, ${row.reason_text}, ${row.source},
      ${row.report_id}, ${row.moderator_id}, ${JSON.stringify(acted.previous)}, ${row.created_at}
    )`);
}

/** Lifts every action on the target that is in force. */
export function setLifted(
  tx: Tx,
  { bucket, type, id }: Target,
  by: { readonly id: string; readonly at: string },
): Promise<number> {
  return tx.run(sql`
    update moderation_actions
    set lifted_at = ${by.at}, lifted_by_id = ${by.id}
    where bucket = ${bucket}
      and target_type = ${type}
      and target_id = ${id}
      and action in ('hide', 'remove', 'de-index', 'suspend')
      and lifted_at is null`);
}

export interface InForceRow {
  readonly id: string;
  readonly action: ModerationAction;
  readonly source: ModerationSource;
  readonly reason_code: ReasonCode;
  /** RFC 3339. */
  readonly created_at: string;
}

/** Returns the actions on the target that are in force, the oldest first. */
export function findInForce(db: Db, { bucket, type, id }: Target): Promise<readonly InForceRow[]> {
  return db.rows(sql<InForceRow>`
    select id, action, source, reason_code, created_at
    from moderation_actions
    where bucket = ${bucket}
      and target_type = ${type}
      and target_id = ${id}
      and action in ('hide', 'remove', 'de-index', 'suspend')
      and lifted_at is null
    order by id`);
}

/** Lifts one action. */
export function setActionLifted(
  tx: Tx,
  { bucket, id }: RowKey,
  by: { readonly id: string; readonly at: string },
): Promise<number> {
  return tx.run(sql`
    update moderation_actions
    set lifted_at = ${by.at}, lifted_by_id = ${by.id}
    where bucket = ${bucket} and id = ${id} and lifted_at is null`);
}

/** Returns the state before the first removal by a moderator that was not lifted. */
export async function findBeforeRemoval(
  db: Db,
  { bucket, type, id }: Target,
): Promise<Moderated | undefined> {
  const row = await db.first(sql<{ previous: Moderated }>`
    select previous
    from moderation_actions
    where bucket = ${bucket}
      and target_type = ${type}
      and target_id = ${id}
      and action = 'remove'
      and lifted_at is null
    order by id
    limit 1`);
  return row?.previous;
}

export type AppealStatus = (typeof appealStatuses)[number];

export interface AppealRow {
  readonly id: string;
  readonly status: AppealStatus;
  readonly appellant_id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly text: string;
  readonly action_id: string;
  readonly target_type: TargetType;
  readonly target_id: string;
  readonly action: ModerationAction;
  readonly reason_code: ReasonCode;
  readonly reason_text: string | null;
  readonly source: ModerationSource;
  readonly moderator_id: string | null;
  readonly acted_at: string;
  readonly lifted_at: string | null;
  readonly resolution: string | null;
  readonly resolved_by: string | null;
  readonly created_at: string;
  readonly resolved_at: string | null;
}

export const appealColumns = sql`
  p.id, p.status, p.appellant_id, p.text, p.action_id, p.target_type, p.target_id,
  a.author_id, a.owner_principal_id, a.action, a.reason_code, a.reason_text, a.source,
  a.moderator_id, a.created_at as acted_at, a.lifted_at, p.resolution, p.resolved_by, p.created_at, p.resolved_at`;

/** Returns an appeal with its action. */
export function findAppeal(db: Db, { bucket, id }: RowKey): Promise<AppealRow | undefined> {
  return db.first(sql<AppealRow>`
    select ${appealColumns}
    from appeals p
    join moderation_actions a on a.bucket = p.bucket and a.id = p.action_id
    where p.bucket = ${bucket} and p.id = ${id}`);
}

/** Returns an appeal with its action, locked until the commit. */
export function lockAppeal(tx: Tx, { bucket, id }: RowKey): Promise<AppealRow | undefined> {
  return tx.first(sql<AppealRow>`
    select ${appealColumns}
    from appeals p
    join moderation_actions a on a.bucket = p.bucket and a.id = p.action_id
    where p.bucket = ${bucket} and p.id = ${id}
    for update of p`);
}

/** Returns the open appeals against actions on one target, locked until the commit. */
export function lockOpenAppeals(tx: Tx, target: Target): Promise<readonly AppealRow[]> {
  return tx.rows(sql<AppealRow>`
    select ${appealColumns}
    from appeals p
    join moderation_actions a on a.bucket = p.bucket and a.id = p.action_id
    where p.bucket = ${target.bucket}
      and p.target_type = ${target.type}
      and p.target_id = ${target.id}
      and p.status = 'open'
    order by p.id
    for update of p`);
}

export interface Resolution {
  readonly status: 'upheld' | 'rejected';
  readonly resolution: string | null;
  readonly moderatorId: string;
  readonly upheldActionId: string | null;
  readonly now: Date;
}

/** Resolves an open appeal and records its status in the action. 0 rows: it was decided before. */
export function setResolved(tx: Tx, { bucket, id }: RowKey, outcome: Resolution): Promise<number> {
  return tx.run(sql`
    with resolved as (
      update appeals
      set status = ${outcome.status}, resolution = ${outcome.resolution},
        resolved_by = ${outcome.moderatorId}, upheld_action_id = ${outcome.upheldActionId},
        resolved_at = ${outcome.now.toISOString()}
      where bucket = ${bucket} and id = ${id} and status = 'open'
      returning action_id
    )
    update moderation_actions as a
    set appeal_status = ${outcome.status}
    from resolved
    where a.bucket = ${bucket} and a.id = resolved.action_id`);
}
