// The moderators' view of reports.
import type { AnswerOf, operations } from '@colophon/contract';
import type { Config } from '#config';
import { timestamp } from '#lib/timestamp';
import type { ReportRow, TargetContent, TargetRow } from '../queries/index.ts';
import { claimedUntil, isParty, statusAt } from '../rules/reviews.ts';
import { isVisible } from '../rules/targets.ts';
import type { Before, IsOpen } from '../rules/targets.ts';

interface Content {
  readonly content: string | null;
  readonly content_url: string | null;
}

type Target = AnswerOf<typeof operations.listReports>['body']['items'][number]['target'];

const noTarget: Target = {
  exists: false,
  status: null,
  visible: false,
  deindexed: false,
  removed_legally: false,
  removed_at: null,
  reason_code: null,
  author_principal_id: null,
  owner_principal_id: null,
  article_id: null,
  excerpt: null,
  trust: 'untrusted',
};

/** Returns the view of a report's target in its present state. */
export function targetView(
  { target_type: type }: Pick<ReportRow, 'target_type'>,
  row: TargetRow | undefined,
  isOpen: IsOpen,
): Target {
  if (row === undefined) return noTarget;
  return {
    exists: true,
    status: row.status as Target['status'],
    visible: isVisible(type, row, isOpen),
    deindexed: row.deindexed,
    removed_legally: row.removed_legally,
    removed_at: row.removed_at,
    reason_code: row.reason_code,
    author_principal_id: row.author_id,
    owner_principal_id: row.owner_principal_id,
    article_id: row.article_id,
    excerpt: row.excerpt,
    trust: 'untrusted',
  };
}

/** Returns the content to decide on: the text itself, or the URL from which moderators fetch the bytes. */
export function contentView(
  { target_id: id }: Pick<ReportRow, 'target_id'>,
  { content, has_bytes }: TargetContent,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): Content {
  return { content, content_url: has_bytes ? `${baseUrl}/v1/media/${id}/content` : null };
}

/** Returns the members of a report on what readers saw when it was made. */
export function reportedView({ publishedId, revisionId, isChanged, title, content }: Before) {
  return {
    published_revision_id: publishedId,
    reported_revision_id: revisionId,
    changed_since: isChanged,
    reported_title: title,
    reported_content: content,
  };
}

/** Returns the members of an appeal on what readers saw when the moderator acted. */
export function decidedView({ publishedId, revisionId, isChanged, title, content }: Before) {
  return {
    published_revision_id: publishedId,
    decided_revision_id: revisionId,
    changed_since: isChanged,
    decided_title: title,
    decided_content: content,
  };
}

interface Reader {
  readonly caller: { readonly id: string };
  readonly now: Date;
}

/** Returns the view of a report without its target, for a caller who decides on it. */
export function reportView(row: ReportRow, target: TargetRow | undefined, { caller, now }: Reader) {
  const isAboutReader = isParty(target, caller.id);
  const until = claimedUntil(row, now);
  return {
    id: row.id,
    target_type: row.target_type,
    target_id: row.target_id,
    category: row.category,
    details: row.details,
    reporter_principal_id: isAboutReader ? null : row.reporter_id,
    reporter_contact: isAboutReader ? null : row.reporter_contact,
    status: statusAt(row, now),
    claimed_by: until === null ? null : row.claimed_by,
    claimed_until: until === null ? null : timestamp(until),
    resolution: row.resolution,
    action_id: row.action_id,
    created_at: row.created_at,
    closed_at: row.closed_at,
    trust: 'untrusted' as const,
  };
}
