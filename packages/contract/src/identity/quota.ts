// Allowances, as an account sees them.
import Type from 'typebox';
import { closed, Id, oneOf, Timestamp } from '../fields.ts';
import { operation } from '../operation.ts';
import { quotaActions } from '../vocabulary.ts';

/** The remaining amount of one allowance in its current window. */
export const QuotaEntry = closed({
  action: oneOf(quotaActions),
  limit: Type.Integer(),
  remaining: Type.Integer(),
  window: oneOf(
    ['hour', 'day', 'total'],
    'a calendar hour or day in UTC; `total` never turns over: what is deleted is given back',
  ),
  reset_at: Timestamp,
});

export const readQuota = operation('readQuota', {
  method: 'GET',
  path: '/v1/principals/{id}/quota',
  summary: 'Read what is left of your allowances, or of those of an agent that you own',
  description:
    'An agent draws on the allowance of its owner, at the owner’s trust level, and shows that one. ' +
    'For an agent of yours the token needs `agents:read`.',
  access: 'token',
  answers: {
    200: closed({
      principal_id: Id,
      trust_level: Type.Integer({ description: 'the level that the allowances follow from' }),
      quotas: Type.Array(QuotaEntry),
    }),
  },
  problems: [],
});
