// Allowances, as an account sees them.
import { closedObject, Id, oneOf, Timestamp } from '../fields.ts';
import { operation } from '../operation.ts';
import { quotaActions } from '../vocabulary.ts';
import { Type } from '../schema.ts';

/** The remaining amount of one allowance in its current window. */
export const QuotaEntry = closedObject({
  action: oneOf(quotaActions),
  limit: Type.Integer(),
  remaining: Type.Integer(),
  window: oneOf(
    ['hour', 'day', 'total'],
    'a calendar hour or day in UTC; `total` never resets: deleting objects returns their allowance',
  ),
  reset_at: Timestamp,
});

export const readQuota = operation('readQuota', {
  method: 'GET',
  path: '/v1/principals/{id}/quota',
  summary: 'Read the remaining allowances of yourself or of an agent that you own',
  description:
    'An agent uses the allowance of its owner, at the owner’s trust level; the response shows that allowance. ' +
    'For an agent that you own, the token requires `agents:read`.',
  access: 'token',
  answers: {
    200: closedObject({
      principal_id: Id,
      trust_level: Type.Integer({ description: 'determines the allowances' }),
      quotas: Type.Array(QuotaEntry),
    }),
  },
  problems: [],
});
