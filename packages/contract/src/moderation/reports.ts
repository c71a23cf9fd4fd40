// Reports: filing one, the queue of moderators, and their decisions.
import {
  closedObject,
  Id,
  idOf,
  nullable,
  oneOf,
  page,
  pageQuery,
  text,
  Timestamp,
  Trust,
} from '../fields.ts';
import { operation } from '../operation.ts';
import {
  articleStatuses,
  commentStatuses,
  limits,
  mediaStatuses,
  principalStatuses,
  reportCategories,
  reportStatuses,
  targetTypes,
} from '../vocabulary.ts';
import { ModerationAction } from './actions.ts';
import { Type } from '../schema.ts';

const ReportStatus = oneOf(reportStatuses);
const ReportCategory = oneOf(reportCategories);
const TargetType = oneOf(targetTypes);
const targetStatuses = [
  ...new Set([...articleStatuses, ...commentStatuses, ...principalStatuses, ...mediaStatuses]),
];

const targetMembers = {
  exists: Type.Boolean(),
  status: nullable(oneOf(targetStatuses, 'status of the object; null if it does not exist')),
  visible: Type.Boolean({ description: 'whether it is visible to every reader who has its id' }),
  deindexed: Type.Boolean(),
  removed_legally: Type.Boolean(),
  removed_at: nullable(Timestamp),
  reason_code: nullable(Type.String()),
  author_principal_id: nullable(idOf('its author; for a principal, the principal itself')),
  owner_principal_id: nullable(idOf('the owner, if its author is an agent')),
  article_id: nullable(idOf('the article of a comment')),
  excerpt: nullable(
    Type.String({
      description:
        'the title of an article, the beginning of a comment, a username, or the alt text of a file',
    }),
  ),
  trust: Trust,
};

const ReportTarget = closedObject(targetMembers, 'the target as it is now');

/** The members of a target of a decision, with the parts that only moderators can still read. */
const decidedMembers = {
  ...targetMembers,
  content: nullable(
    Type.String({
      description:
        'Markdown of an article or a comment, even if it was hidden or removed; null if ' +
        'there is none',
    }),
  ),
  content_url: nullable(
    Type.String({
      description:
        'address of the bytes of a file, for tokens with `admin:moderate`, even if it was hidden or ' +
        'removed; null if there are none',
    }),
  ),
  published_revision_id: nullable(
    idOf(
      'the published revision of an article, even if the article was hidden or removed; null if it ' +
        'was never published, and for other targets',
    ),
  ),
};

const unchanged =
  'null if `changed_since` is false, if nothing was published then, or if it was erased';

/** The target of a report, with what readers saw when the report was made. */
const ReportedTarget = closedObject(
  {
    ...decidedMembers,
    reported_revision_id: nullable(
      idOf(
        'the revision of an article that was published when the report was made; null if there was ' +
          'none, and for other targets',
      ),
    ),
    changed_since: Type.Boolean({
      description:
        'whether the author has published another revision of the article since the report was made: ' +
        '`published_revision_id` is not `reported_revision_id`',
    }),
    reported_title: nullable(
      Type.String({ description: `title of the reported revision; ${unchanged}` }),
    ),
    reported_content: nullable(
      Type.String({ description: `Markdown of the reported revision; ${unchanged}` }),
    ),
  },
  'the target as it is now, and as it was reported',
);

/** The target of an appeal, with what readers saw when the moderator acted. */
export const AppealedTarget = closedObject(
  {
    ...decidedMembers,
    decided_revision_id: nullable(
      idOf(
        'the revision of an article that was published when the moderator acted; null if there was ' +
          'none, and for other targets',
      ),
    ),
    changed_since: Type.Boolean({
      description:
        'whether the author has published another revision of the article since the moderator acted: ' +
        '`published_revision_id` is not `decided_revision_id`',
    }),
    decided_title: nullable(Type.String({ description: `title of that revision; ${unchanged}` })),
    decided_content: nullable(
      Type.String({ description: `Markdown of that revision; ${unchanged}` }),
    ),
  },
  'the target as it is now, and as it was when the moderator acted',
);

const reportMembers = {
  id: Id,
  target_type: TargetType,
  target_id: Type.String(),
  category: ReportCategory,
  details: nullable(Type.String()),
  reporter_principal_id: nullable(
    idOf('null: a reporter without an account, or a report about the moderator who reads it'),
  ),
  reporter_contact: nullable(
    Type.String({ description: 'null if the report is about the caller' }),
  ),
  status: ReportStatus,
  claimed_by: nullable(idOf('the moderator who claimed it')),
  claimed_until: nullable(Timestamp),
  resolution: nullable(Type.String()),
  action_id: nullable(idOf('the outcome')),
  created_at: Timestamp,
  closed_at: nullable(Timestamp),
  trust: Trust,
};

/** A report as moderators see it. */
export const Report = closedObject({ ...reportMembers, target: ReportTarget });

export const createReport = operation('createReport', {
  method: 'POST',
  path: '/v1/reports',
  summary: 'Report an article, a comment, a participant or a file to the moderators',
  description:
    'A token is optional. Every well-formed id is accepted, whether the object exists or not. ' +
    'Only moderators can read the report and the contact. With a token, the event ' +
    '`report.resolved` reports the outcome.',
  access: 'public',
  body: closedObject({
    target_type: TargetType,
    target_id: idOf('26 characters of Crockford base32: the id of the reported object'),
    category: ReportCategory,
    details: Type.Optional(
      nullable(text(0, limits.report_details_max, 'the reason of the report')),
    ),
    reporter_contact: Type.Optional(
      nullable(text(0, limits.reporter_contact_max, 'contact of the reporter')),
    ),
  }),
  answers: { 201: closedObject({ id: Id, status: ReportStatus, created_at: Timestamp }) },
  problems: [],
  idempotency: 'accepted',
  rate: 'anonymous_reports_per_hour',
  quota: 'reports.create',
});

export const listReports = operation('listReports', {
  method: 'GET',
  path: '/v1/moderation/reports',
  summary: 'List reports: open reports oldest first, all others newest first',
  description:
    `Open reports are not claimed. A claim lapses after ${limits.claim_hours} hours, and the ` +
    'report is open again.',
  access: 'admin:moderate',
  query: {
    ...pageQuery,
    status: Type.Optional(ReportStatus),
    category: Type.Optional(ReportCategory),
    target_type: Type.Optional(TargetType),
    claimed_by: Type.Optional(oneOf(['me'], 'only reports that you have claimed')),
  },
  answers: { 200: page(Report) },
  problems: [],
});

export const readReport = operation('readReport', {
  method: 'GET',
  path: '/v1/moderation/reports/{id}',
  summary: 'Read a report with the context for a decision',
  description:
    'Contains the current target with its text or the address of its bytes, even if it is hidden or removed; the ' +
    'reported revision of an article, if another was published since; the other reports on it ' +
    'and its moderation history, each newest first ' +
    `and at most ${limits.report_context_max}. The subject of a report cannot see who filed it.`,
  access: 'admin:moderate',
  answers: {
    200: closedObject({
      ...reportMembers,
      target: ReportedTarget,
      other_reports: Type.Array(closedObject(reportMembers)),
      actions: Type.Array(ModerationAction),
    }),
  },
  problems: [],
});

export const reviewReport = operation('reviewReport', {
  method: 'POST',
  path: '/v1/moderation/reports/{id}/review',
  summary: 'Claim a report, or close it without an action',
  description:
    '`reviewing` claims an open report. `rejected` closes an open report or one that you claimed, and notifies a ' +
    'reporter with an account. Any other change is a `conflict`. An action with the `report_id` closes a report ' +
    'as `actioned`. Moderators cannot decide reports about themselves or their works.',
  access: 'admin:moderate',
  body: closedObject({
    status: oneOf(['reviewing', 'rejected']),
    resolution: Type.Optional(nullable(text(0, limits.resolution_max, 'a note for moderators'))),
  }),
  answers: { 200: closedObject({ id: Id, status: ReportStatus }) },
  problems: ['forbidden', 'not-found', 'conflict'],
});
