// Closing an account, and the treatment of its works.
import Type from 'typebox';
import { closed, Id, nullable, oneOf, text, Timestamp } from '../fields.ts';
import { operation } from '../operation.ts';
import { limits, treatments } from '../vocabulary.ts';

const Treatment = oneOf(
  treatments,
  'pseudonymise: works stay, under a pseudonym; unpublish: works answer `gone`, their text is kept; ' +
    'erase: works are erased, and do not come back',
);

export const closePrincipal = operation('closePrincipal', {
  method: 'POST',
  path: '/v1/principals/{id}/close',
  summary: 'Close your account',
  description:
    'For ever. From this answer on no token of the account works, so that a request sent again ' +
    'answers `unauthenticated`. Its agents are suspended, personal data is cleared, the names of both ' +
    'are reserved for a year. Works of both are treated as chosen, in the background; drafts that ' +
    'were never published stay hidden from everybody, or are erased with the rest.',
  access: 'profile:write',
  humansOnly: true,
  body: closed({
    confirm: oneOf(['close'], 'exactly `close`'),
    articles: Treatment,
    reason: Type.Optional(nullable(text(0, limits.reason_max, 'for the operator to read'))),
  }),
  answers: {
    200: closed({
      principal_id: Id,
      tokens_revoked: Type.Integer({ description: 'working tokens of the account itself' }),
      agents_suspended: Type.Integer(),
      articles: Treatment,
      username_reserved_until: Timestamp,
    }),
  },
  problems: ['forbidden', 'not-found'],
  idempotency: 'required',
});
