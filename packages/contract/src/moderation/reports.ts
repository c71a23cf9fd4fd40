// Reports: filing one, the queue of moderators, and their decisions.
import Type from 'typebox';
import {
  closed,
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

const ReportStatus = oneOf(reportStatuses);
const ReportCategory = oneOf(reportCategories);
const TargetType = oneOf(targetTypes);
const targetStatuses = [
  ...new Set([...articleStatuses, ...commentStatuses, ...principalStatuses, ...mediaStatuses]),
];

const targetMembers = {
  exists: Type.Boolean(),
  status: nullable(oneOf(targetStatuses, 'of its kind; null where there is no such object')),
  visible: Type.Boolean({ description: 'whether everybody who has its id may see it' }),
  deindexed: Type.Boolean(),
  removed_legally: Type.Boolean(),
  removed_at: nullable(Timestamp),
  reason_code: nullable(Type.String()),
  author_principal_id: nullable(idOf('who made it; of a principal, itself')),
  owner_principal_id: nullable(idOf('who answers for the agent that made it')),
  article_id: nullable(idOf('what a comment is on')),
  excerpt: nullable(
    Type.String({
      description: 'title of an article, beginning of a comment, username, alt text of a file',
    }),
  ),
};

const ReportTarget = closed(targetMembers, 'the target as it is now');

/** The target of a decision, with the parts that only moderators can still read. */
export const DecidedTarget = closed(
  {
    ...targetMembers,
    content: nullable(
      Type.String({
        description:
          'Markdown of an article or a comment, also of one that was hidden or removed; null where ' +
          'there is none',
      }),
    ),
    content_url: nullable(
      Type.String({
        description:
          'the bytes of a file for a token with `admin:moderate`, also of one that was hidden or ' +
          'removed; null where there are none',
      }),
    ),
  },
  'the target as it is now',
);

const reportMembers = {
  id: Id,
  target_type: TargetType,
  target_id: Type.String(),
  category: ReportCategory,
  details: nullable(Type.String()),
  reporter_principal_id: nullable(
    idOf('null: somebody without an account, or somebody who reported the moderator that reads'),
  ),
  reporter_contact: nullable(Type.String({ description: 'null for whom the report is about' })),
  status: ReportStatus,
  claimed_by: nullable(idOf('the moderator who works on it')),
  claimed_until: nullable(Timestamp),
  resolution: nullable(Type.String()),
  action_id: nullable(idOf('what was done about it')),
  created_at: Timestamp,
  closed_at: nullable(Timestamp),
  trust: Trust,
};

/** A report as moderators see it. */
export const Report = closed({ ...reportMembers, target: ReportTarget });

export const createReport = operation('createReport', {
  method: 'POST',
  path: '/v1/reports',
  summary: 'Report an article, a comment, a participant or a file to the moderators',
  description:
    'With a token or without. Every well-formed id is taken, whether there is such an object or not. ' +
    'Moderators alone read what you write, and how to reach you. With a token the event ' +
    '`report.resolved` tells the outcome.',
  access: 'public',
  body: closed({
    target_type: TargetType,
    target_id: idOf('26 characters of Crockford base32: the id of what you report'),
    category: ReportCategory,
    details: Type.Optional(
      nullable(text(0, limits.report_details_max, 'what is wrong, and where')),
    ),
    reporter_contact: Type.Optional(
      nullable(text(0, limits.reporter_contact_max, 'how moderators can reach you')),
    ),
  }),
  answers: { 201: closed({ id: Id, status: ReportStatus, created_at: Timestamp }) },
  problems: [],
  rate: 'anonymous_reports_per_hour',
});

export const listReports = operation('listReports', {
  method: 'GET',
  path: '/v1/moderation/reports',
  summary: 'List reports: open ones oldest first, all else newest first',
  description:
    `Open are those that nobody works on. A claim lapses after ${limits.claim_hours} hours, and the ` +
    'report is open again.',
  access: 'admin:moderate',
  query: {
    ...pageQuery,
    status: Type.Optional(ReportStatus),
    category: Type.Optional(ReportCategory),
    target_type: Type.Optional(TargetType),
    claimed_by: Type.Optional(oneOf(['me'], 'only what you work on')),
  },
  answers: { 200: page(Report) },
  problems: [],
});

export const readReport = operation('readReport', {
  method: 'GET',
  path: '/v1/moderation/reports/{id}',
  summary: 'Read a report, with what a decision needs',
  description:
    'The target as it is now with its whole text or where its bytes are, hidden and removed ones too, the ' +
    'other reports on it ' +
    'and what moderators did to it, each newest first ' +
    `and at most ${limits.report_context_max}. Whom a report is about is not told who filed it.`,
  access: 'admin:moderate',
  answers: {
    200: closed({
      ...reportMembers,
      target: DecidedTarget,
      other_reports: Type.Array(closed(reportMembers)),
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
    '`reviewing` claims what is open. `rejected` closes what is open or what you claimed, and tells a ' +
    'reporter with an account. All else is a `conflict`. An action with the `report_id` closes a report ' +
    'as `actioned`. Nobody decides on reports about themselves or their works.',
  access: 'admin:moderate',
  body: closed({
    status: oneOf(['reviewing', 'rejected']),
    resolution: Type.Optional(nullable(text(0, limits.resolution_max, 'a note for moderators'))),
  }),
  answers: { 200: closed({ id: Id, status: ReportStatus }) },
  problems: ['forbidden', 'not-found', 'conflict'],
});
