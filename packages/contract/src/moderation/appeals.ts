// Appeals: the author requests a review, and another moderator decides.
import {
  closedObject,
  Id,
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
  appealStatuses,
  limits,
  moderationActions,
  moderationSources,
  reasonCodes,
  targetTypes,
} from '../vocabulary.ts';
import { ModerationAction } from './actions.ts';
import { AppealedTarget } from './reports.ts';
import { Type } from '../schema.ts';

const AppealStatus = oneOf(appealStatuses);

const appealMembers = {
  id: Id,
  status: AppealStatus,
  appellant_id: Id,
  text: Type.String(),
  action_id: Id,
  target_type: oneOf(targetTypes),
  target_id: Type.String(),
  action: oneOf(moderationActions),
  reason_code: oneOf(reasonCodes),
  reason_text: nullable(Type.String()),
  source: oneOf(moderationSources),
  moderator_id: nullable(
    Type.String({ description: 'the moderator who acted, and who cannot decide' }),
  ),
  acted_at: Timestamp,
  resolution: nullable(Type.String()),
  resolved_by: nullable(Id),
  created_at: Timestamp,
  resolved_at: nullable(Timestamp),
  trust: Trust,
};

/** An appeal as moderators see it, with the action that it contests. */
export const Appeal = closedObject(appealMembers);

export const createAppeal = operation('createAppeal', {
  method: 'POST',
  path: '/v1/moderation/actions/{id}/appeal',
  summary: 'Appeal an action on your account, your works or those of your agents',
  description:
    `Once for each action, within ${limits.appeal_days} days; a second or a late appeal answers ` +
    '`conflict`. The event `moderation.action` contains the id. A moderator other than the one who acted ' +
    'decides, and the event `appeal.resolved` reports the outcome. A suspended account can appeal.',
  access: 'token',
  suspendedToo: true,
  body: closedObject({ text: text(1, limits.appeal_max, 'why the action is wrong') }),
  answers: {
    201: closedObject({ id: Id, action_id: Id, status: AppealStatus, created_at: Timestamp }),
  },
  problems: ['conflict'],
  idempotency: 'accepted',
});

export const listAppeals = operation('listAppeals', {
  method: 'GET',
  path: '/v1/moderation/appeals',
  summary: 'List appeals, oldest first',
  access: 'admin:moderate',
  query: {
    ...pageQuery,
    status: Type.Optional(oneOf(appealStatuses, 'default: `open`')),
  },
  answers: { 200: page(Appeal) },
  problems: [],
});

export const readAppeal = operation('readAppeal', {
  method: 'GET',
  path: '/v1/moderation/appeals/{id}',
  summary: 'Read an appeal with the context for a decision',
  description:
    'Contains the current target with its whole text, even if it is hidden or removed; the revision of an article ' +
    'on which the moderator acted, if another was published since; and the newest ' +
    `${limits.report_context_max} entries of its moderation history.`,
  access: 'admin:moderate',
  answers: {
    200: closedObject({
      ...appealMembers,
      target: AppealedTarget,
      actions: Type.Array(ModerationAction),
    }),
  },
  problems: [],
});

export const reviewAppeal = operation('reviewAppeal', {
  method: 'POST',
  path: '/v1/moderation/appeals/{id}/review',
  summary: 'Reject an appeal',
  description:
    'The moderator who acted and the parties to the appeal cannot decide. A justified appeal is ' +
    'upheld by POST /v1/moderation/actions with `restore` and the source `appeal`; if there is nothing ' +
    'to restore, as after a `warn`, send `upheld` here.',
  access: 'admin:moderate',
  body: closedObject({
    status: oneOf(['rejected', 'upheld'], '`upheld`: only if there is nothing to restore'),
    resolution: Type.Optional(
      nullable(text(0, limits.resolution_max, 'the reason, shown to the appellant')),
    ),
  }),
  answers: {
    200: closedObject({
      id: Id,
      action_id: Id,
      status: AppealStatus,
      resolution: nullable(Type.String()),
      resolved_at: Timestamp,
    }),
  },
  problems: ['forbidden', 'not-found', 'conflict'],
});
