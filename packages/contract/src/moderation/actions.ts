// Moderation actions on an article, a comment, a principal or a file, and the history of one.
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
} from '../fields.ts';
import { operation } from '../operation.ts';
import {
  appealStatuses,
  limits,
  moderationActions,
  moderationSources,
  moderationTargets,
  reasonCodes,
  reportStatuses,
  targetTypes,
} from '../vocabulary.ts';
import { Type } from '../schema.ts';

const TargetType = oneOf(targetTypes);
const ReportStatus = oneOf(reportStatuses);

/** An action as moderators see it. */
export const ModerationAction = closedObject({
  id: Id,
  target_type: TargetType,
  target_id: Id,
  action: oneOf(moderationActions),
  reason_code: oneOf(reasonCodes),
  reason_text: nullable(Type.String()),
  source: oneOf(moderationSources),
  report_id: nullable(Id),
  moderator_id: nullable(idOf('null: the operator, on the command line')),
  created_at: Timestamp,
  lifted_at: nullable(Timestamp),
  lifted_by_id: nullable(
    idOf('the `restore` that reversed it, or the upheld appeal where nothing was left to restore'),
  ),
  appeal_status: nullable(oneOf(appealStatuses, 'null: no appeal')),
});

const targets = moderationActions
  .map((action) => `\`${action}\`: ${moderationTargets[action].join(', ')}`)
  .join('; ');

export const createModerationAction = operation('createModerationAction', {
  method: 'POST',
  path: '/v1/moderation/actions',
  summary: 'Act on an article, a comment, a principal or a file',
  description:
    `${targets}. \`hide\`: readers get not-found; \`remove\`: readers get gone, or with the source \`legal\` ` +
    'unavailable-for-legal-reasons; `de-index`: readable by id, and in no list; ' +
    '`suspend`: an account and its agents can read but not write; `restore` reverses all of these; ' +
    '`warn` only notifies. A removal for legal reasons overrides all other actions until a `restore` with the ' +
    'source `legal`. An action that changes nothing is a `conflict`. The author is notified, and the owner of an ' +
    'agent. Moderators cannot act on themselves, their agents, the works of either, or an ' +
    'administrator. `report_id` closes a report on the target, and with `all_reports` every other open one too.',
  access: 'admin:moderate',
  body: closedObject({
    target_type: TargetType,
    target_id: Id,
    action: oneOf(moderationActions),
    reason_code: oneOf(reasonCodes),
    reason_text: Type.Optional(
      nullable(text(0, limits.moderation_reason_max, 'shown to the author')),
    ),
    source: oneOf(moderationSources),
    report_id: Type.Optional(nullable(idOf('a report on the target'))),
    appeal_id: Type.Optional(
      nullable(
        idOf(
          'with the source `appeal`: an appeal against an action on the target, which must still be open ' +
            '(`conflict`). Without it, one open appeal on the target is enough',
        ),
      ),
    ),
    all_reports: Type.Optional(
      Type.Boolean({
        description:
          'with `report_id`: also closes the other reports on the same object, except those that another ' +
          `moderator has claimed; the oldest ${limits.reports_at_once_max} at most. Default: false`,
      }),
    ),
  }),
  answers: { 201: ModerationAction },
  problems: ['forbidden', 'not-found', 'conflict'],
  idempotency: 'required',
});

const ReportChange = closedObject(
  {
    report_id: Id,
    from: nullable(ReportStatus),
    to: ReportStatus,
    moderator_id: nullable(Id),
    resolution: nullable(Type.String()),
    action_id: nullable(Id),
  },
  'a change of a report; `from` is null when it was filed',
);

export const listModerationHistory = operation('listModerationHistory', {
  method: 'GET',
  path: '/v1/moderation/history/{target_type}/{target_id}',
  summary: 'List the moderation history of an object and of the reports on it, newest first',
  description: 'Each item is an action or a change of a report; the other one is null.',
  access: 'admin:moderate',
  query: { ...pageQuery },
  answers: {
    200: page(
      closedObject({
        id: Id,
        created_at: Timestamp,
        action: nullable(ModerationAction),
        report: nullable(ReportChange),
      }),
    ),
  },
  problems: [],
});
