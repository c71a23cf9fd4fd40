// What the moderation desk reads besides operations. Nothing here contains a text that readers do not see.
import { limits, reportCategories, targetTypes } from '@colophon/contract';
import type { ReportCategory, ReportStatus, TargetType } from '@colophon/contract';
import { isOpen } from '#articles';
import type { Db } from '#database';
import type { Caller } from '#http';
import { bucketOf, keyOf } from '#lib/id';
import {
  countClosable,
  countOpenReports,
  countQueue,
  findContent,
  findDecision,
  findNextOpen,
  findTargets,
  listActionAuthors,
  listRecord,
  listReportStates,
} from '../queries/index.ts';
import type { ActionRow, AuditRow, DecisionRow, Reference, TargetRow } from '../queries/index.ts';
import { auditHash } from './audit.ts';
import { isAppealable, isParty, lapsedUntil, statusAt } from '../rules/reviews.ts';
import { targetView } from '../views/reports.ts';

/** Counts end here: the desk shows more as “1,000+”. */
const countedMost = 1000;

export interface QueueCounts {
  readonly all: number;
  readonly mine: number;
  readonly appeals: number;
  readonly categories: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, number>;
}

/** Counts what is to be done, each number up to 1,001. */
export async function countDesk(db: Db, { id }: Caller, now: Date): Promise<QueueCounts> {
  const rows = await countQueue(db, id, {
    lapsed: lapsedUntil(now),
    most: countedMost + 1,
    categories: reportCategories,
    types: targetTypes,
  });
  const of = (kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ value, count }) => [value, count]));
  const one = (kind: string) => of(kind).get('') ?? 0;
  return {
    all: one('all'),
    mine: one('mine'),
    appeals: one('appeals'),
    categories: of('category'),
    types: of('target_type'),
  };
}

/** Counts the reports that are not closed, up to 1,001. */
export function countOpen(db: Db): Promise<number> {
  return countOpenReports(db, countedMost + 1);
}

/** Counts the other reports on the same object that an action of the moderator can close too, up to 1,001. */
export function countOthers(
  db: Db,
  { id: moderatorId }: Pick<Caller, 'id'>,
  report: { readonly id: string; readonly target_type: TargetType; readonly target_id: string },
  now: Date,
): Promise<number> {
  const { id: reportId, target_type: type, target_id: id } = report;
  const by = { reportId, moderatorId, lapsed: lapsedUntil(now), most: countedMost + 1 };
  return countClosable(db, { bucket: bucketOf(id), type, id }, by);
}

export interface ReportState {
  readonly id: string;
  readonly status: ReportStatus;
  readonly claimed_by: string | null;
}

/** Returns the present state of reports: a claim that has lapsed is none. */
export async function reportStates(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<readonly ReportState[]> {
  if (ids.length === 0) return [];
  const rows = await listReportStates(db, ids);
  return rows.map((row) => {
    const status = statusAt(row, now);
    return { id: row.id, status, claimed_by: status === 'reviewing' ? row.claimed_by : null };
  });
}

export interface NextInput {
  readonly after: string | undefined;
  readonly category: ReportCategory | undefined;
  readonly targetType: TargetType | undefined;
}

/** Returns the id of the oldest open report after another one; from the beginning if there is none. */
export async function nextOpenReport(
  db: Db,
  { after, ...filters }: NextInput,
  now: Date,
): Promise<string | undefined> {
  const input = { ...filters, lapsed: lapsedUntil(now) };
  const next = await findNextOpen(db, after, input);
  if (next !== undefined || after === undefined) return next?.id;
  const first = await findNextOpen(db, undefined, input);
  return first?.id === after ? undefined : first?.id;
}

/** Returns the newest actions on an author's works and account. */
export function authorRecord(db: Db, authorId: string): Promise<readonly ActionRow[]> {
  return listRecord(db, authorId, limits.report_context_max);
}

/** Returns the state of an object without its text; `exists` is false if there is none. */
export async function objectState(db: Db, reference: Reference) {
  const targets = await findTargets(db, [reference]);
  return { ...targetView(reference, targets(reference), isOpen), excerpt: null };
}

/** Returns whether a row of the audit log has the hash of its content. */
export function isAuditRowIntact({ number, hash, previous_hash: previous, ...entry }: AuditRow) {
  return auditHash(entry, number, previous) === hash;
}

/** An action as its author reads it: without the moderator. */
export interface Decision extends Omit<DecisionRow, 'owner_principal_id'> {
  /** The text that the action is about; null if there is none, or it was removed for legal reasons. */
  readonly content: string | null;
  /** A title, the beginning of a comment, a username or a description; null in the same cases. */
  readonly excerpt: string | null;
  readonly article_id: string | null;
  readonly removed_legally: boolean;
  /** The status of the target now; null if it does not exist. */
  readonly status: string | null;
  readonly canAppeal: boolean;
}

/** The state of the target of a decision, and its text unless the law removed it. */
function stateOfTarget(target: TargetRow | undefined, content: string | null) {
  if (target === undefined)
    return { content, excerpt: null, article_id: null, removed_legally: false, status: null };
  const { status, excerpt, article_id, removed_legally } = target;
  const text = removed_legally ? { content: null, excerpt: null } : { content, excerpt };
  return { ...text, article_id, removed_legally, status };
}

/** Returns whom the actions of notifications are about, and whether each can be appealed now. */
export async function actionStates(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<readonly { readonly id: string; readonly authorId: string; canAppeal: boolean }[]> {
  const rows = ids.length === 0 ? [] : await listActionAuthors(db, ids);
  return rows.map((row) => ({
    id: row.id,
    authorId: row.author_id,
    canAppeal: isAppealable(row, now),
  }));
}

/** Returns an action to its parties: the author, and the owner of an agent. undefined for everybody else. */
export async function decisionFor(
  db: Db,
  caller: Pick<Caller, 'id'>,
  id: string,
  now: Date,
): Promise<Decision | undefined> {
  const row = await findDecision(db, { ...keyOf(id), bucket: bucketOf(id) });
  if (row === undefined || !isParty(row, caller.id)) return undefined;
  const [targets, content] = await Promise.all([findTargets(db, [row]), findContent(db, row)]);
  const { owner_principal_id: _owner, ...shown } = row;
  return {
    ...shown,
    ...stateOfTarget(targets(row), content.content),
    canAppeal: isAppealable(row, now),
  };
}
