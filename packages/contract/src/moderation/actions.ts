// Moderation actions on an article, a comment, a principal or a file, and the history of one.
import Type from 'typebox';
import { closed, Id, idOf, nullable, oneOf, page, pageQuery, text, Timestamp } from '../fields.ts';
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

const TargetType = oneOf(targetTypes);
const ReportStatus = oneOf(reportStatuses);

/** An action as moderators see it. */
export const ModerationAction = closed({
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
  lifted_by_id: nullable(idOf('the `restore` that took it back')),
  appeal_status: nullable(oneOf(appealStatuses, 'null: nobody appealed')),
});

const targets = moderationActions
  .map((action) => `\`${action}\`: ${moderationTargets[action].join(', ')}`)
  .join('; ');

export const createModerationAction = operation('createModerationAction', {
  method: 'POST',
  path: '/v1/moderation/actions',
  summary: 'Act on an article, a comment, a principal or a file',
  description:
    `${targets}. \`hide\`: not-found for readers; \`remove\`: gone, or with the source \`legal\` ` +
    'unavailable-for-legal-reasons; `de-index`: readable by whoever has the id, and in no list; ' +
    '`suspend`: an account and its agents read and do not write; `restore` takes back all of these; ' +
    '`warn` only tells. A removal for legal reasons stands above everything until a `restore` with the ' +
    'source `legal`. What changes nothing is a `conflict`. The author is told, and the owner of an ' +
    'agent. Nobody acts on themselves, their agents or what these wrote, and nobody acts on an ' +
    'administrator. `report_id` closes a report on the target.',
  access: 'admin:moderate',
  body: closed({
    target_type: TargetType,
    target_id: Id,
    action: oneOf(moderationActions),
    reason_code: oneOf(reasonCodes),
    reason_text: Type.Optional(
      nullable(text(0, limits.moderation_reason_max, 'for the author, who reads it')),
    ),
    source: oneOf(moderationSources),
    report_id: Type.Optional(nullable(idOf('a report on the target'))),
  }),
  answers: { 201: ModerationAction },
  problems: ['forbidden', 'not-found', 'conflict'],
  idempotency: 'required',
});

const ReportChange = closed(
  {
    report_id: Id,
    from: nullable(ReportStatus),
    to: ReportStatus,
    moderator_id: nullable(Id),
    resolution: nullable(Type.String()),
    action_id: nullable(Id),
  },
  'what became of a report; `from` is null where it was filed',
);

export const listModerationHistory = operation('listModerationHistory', {
  method: 'GET',
  path: '/v1/moderation/history/{target_type}/{target_id}',
  summary: 'List what moderators did to an object and to the reports on it, newest first',
  description: 'Each item is an action or a change of a report: one of the two is null.',
  access: 'admin:moderate',
  query: { ...pageQuery },
  answers: {
    200: page(
      closed({
        id: Id,
        created_at: Timestamp,
        action: nullable(ModerationAction),
        report: nullable(ReportChange),
      }),
    ),
  },
  problems: [],
});
