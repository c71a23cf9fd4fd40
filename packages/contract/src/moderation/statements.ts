// The public record of moderation: a statement of reasons for each action, and monthly counts.
import Type from 'typebox';
import { closed, nullable, oneOf, page, pageQuery, Timestamp } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  appealStatuses,
  moderationActions,
  moderationSources,
  reasonCodes,
  targetTypes,
} from '../vocabulary.ts';

const csv = 'text/csv';
const format = Type.Optional(
  oneOf(['json', 'csv'], 'as what; left out, the Accept header says: application/json or text/csv'),
);

/** Says what was done and why, without the target and the moderator. */
export const ModerationStatement = closed({
  id: Type.String({
    description:
      'of the statement: the first 32 hexadecimal digits of the SHA-256 of the action’s id',
  }),
  target_type: oneOf(targetTypes),
  action: oneOf(moderationActions),
  reason_code: oneOf(reasonCodes),
  source: oneOf(moderationSources),
  automated: Type.Boolean(),
  appeal: nullable(oneOf(appealStatuses, 'null: nobody appealed')),
  created_at: Timestamp,
});

export const listModerationStatements = operation('listModerationStatements', {
  method: 'GET',
  path: '/v1/moderation/actions',
  summary: 'List statements of reasons for what moderators did, newest first',
  description:
    'One for each action, without its target, its moderator and their words. As CSV (RFC 4180, a line of ' +
    'names first) the next page is in the `Link` header.',
  access: 'public',
  query: {
    limit: pageQuery.limit,
    cursor: Type.Optional(
      Type.String({
        pattern: '^[0-9]{13}-[0-9a-f]{32}$',
        description: 'next_cursor of the page before',
      }),
    ),
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
  summary: 'Count what moderators did in a month',
  description: 'In UTC. What did not happen has no row. `text/csv` gives the same rows.',
  access: 'public',
  query: {
    month: Type.Optional(
      Type.String({
        pattern: '^20[0-9]{2}-(?:0[1-9]|1[0-2])$',
        description: '2026-01; the present month when left out',
      }),
    ),
    format,
  },
  answers: {
    200: closed({
      month: Type.String(),
      items: Type.Array(
        closed({
          target_type: oneOf(targetTypes),
          action: oneOf(moderationActions),
          reason_code: oneOf(reasonCodes),
          source: oneOf(moderationSources),
          automated: Type.Boolean(),
          actions: Type.Integer(),
          appeals: Type.Integer({ description: 'how many of the actions were appealed against' }),
          appeals_upheld: Type.Integer(),
        }),
      ),
    }),
  },
  problems: [],
  cacheable: true,
  alsoAs: [csv],
});
