// The public record of moderation: a statement of reasons for each action, and monthly counts.
import { closedObject, nullable, oneOf, page, pageQuery, Timestamp } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  appealStatuses,
  moderationActions,
  moderationSources,
  reasonCodes,
  targetTypes,
} from '../vocabulary.ts';
import { Type } from '../schema.ts';

const csv = 'text/csv';
const format = Type.Optional(
  oneOf(['json', 'csv'], 'the format; default: application/json or text/csv by the Accept header'),
);

/** Says what was done and why, without the target and the moderator. */
export const ModerationStatement = closedObject({
  id: Type.String({
    description:
      'id of the statement: the first 32 hexadecimal digits of the SHA-256 of the action’s id',
  }),
  target_type: oneOf(targetTypes),
  action: oneOf(moderationActions),
  reason_code: oneOf(reasonCodes),
  source: oneOf(moderationSources),
  automated: Type.Boolean(),
  appeal: nullable(oneOf(appealStatuses, 'null: no appeal')),
  created_at: Timestamp,
});

const month = (description: string) =>
  Type.Optional(Type.String({ pattern: '^20[0-9]{2}-(?:0[1-9]|1[0-2])$', description }));

export const listModerationStatements = operation('listModerationStatements', {
  method: 'GET',
  path: '/v1/moderation/actions',
  summary: 'List the statements of reasons for moderation actions, newest first',
  description:
    'One for each action, without the target, the moderator and the text of the reason. As CSV (RFC 4180, with a ' +
    'header line) the next page is in the `Link` header.',
  access: 'public',
  query: {
    limit: pageQuery.limit,
    cursor: Type.Optional(
      Type.String({
        pattern: '^[0-9]{13}-[0-9a-f]{32}$',
        description: 'next_cursor of the previous page',
      }),
    ),
    month: month('a month in UTC of the years 2000 to 2099, such as 2026-01: only its actions'),
    target_type: Type.Optional(oneOf(targetTypes, 'a filter; needs `month`')),
    action: Type.Optional(oneOf(moderationActions, 'a filter; needs `month`')),
    reason_code: Type.Optional(oneOf(reasonCodes, 'a filter; needs `month`')),
    source: Type.Optional(oneOf(moderationSources, 'a filter; needs `month`')),
    format,
  },
  answers: { 200: page(ModerationStatement) },
  problems: [],
  cacheable: true,
  alsoAs: [csv],
});

export const readModerationStatistics = operation('readModerationStatistics', {
  method: 'GET',
  path: '/v1/moderation/statistics',
  summary: 'Count the moderation actions of a month',
  description: 'Months are in UTC. Counts of zero have no row. `text/csv` returns the same rows.',
  access: 'public',
  query: {
    month: month('a month of the years 2000 to 2099, such as 2026-01; default: the current month'),
    format,
  },
  answers: {
    200: closedObject({
      month: Type.String(),
      items: Type.Array(
        closedObject({
          target_type: oneOf(targetTypes),
          action: oneOf(moderationActions),
          reason_code: oneOf(reasonCodes),
          source: oneOf(moderationSources),
          automated: Type.Boolean(),
          actions: Type.Integer(),
          appeals: Type.Integer({ description: 'number of actions that were appealed' }),
          appeals_upheld: Type.Integer(),
        }),
      ),
    }),
  },
  problems: [],
  cacheable: true,
  alsoAs: [csv],
});
