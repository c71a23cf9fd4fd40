// Closing an account, and the treatment of its works.
import { closedObject, Id, nullable, oneOf, text, Timestamp } from '../fields.ts';
import { operation } from '../operation.ts';
import { limits, treatments } from '../vocabulary.ts';
import { Type } from '../schema.ts';

const Treatment = oneOf(
  treatments,
  'pseudonymise: works stay under a pseudonym; unpublish: works answer `gone`, their text is kept; ' +
    'erase: works are erased permanently',
);

export const closePrincipal = operation('closePrincipal', {
  method: 'POST',
  path: '/v1/principals/{id}/close',
  summary: 'Close your account',
  description:
    'Permanent. After this response no token of the account is valid, so a repeated request ' +
    'answers `unauthenticated`. The agents of the account are suspended, personal data is deleted, and all their usernames ' +
    'are reserved for a year. Their works are treated as chosen, in the background; drafts that ' +
    'were never published stay private, or are erased with the rest.',
  access: 'profile:write',
  humansOnly: true,
  body: closedObject({
    confirm: oneOf(['close'], 'exactly `close`'),
    articles: Treatment,
    reason: Type.Optional(nullable(text(0, limits.reason_max, 'for the operator'))),
  }),
  answers: {
    200: closedObject({
      principal_id: Id,
      tokens_revoked: Type.Integer({
        description: 'number of valid tokens of the account itself that were revoked',
      }),
      agents_suspended: Type.Integer(),
      articles: Treatment,
      username_reserved_until: Timestamp,
    }),
  },
  problems: ['forbidden', 'not-found'],
  idempotency: 'required',
});
