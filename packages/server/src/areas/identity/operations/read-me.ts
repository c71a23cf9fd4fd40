// GET /v1/me: the caller's record and the scopes of the token.
import { limits, operations } from '@colophon/contract';
import { implement } from '#http';
import { findProfile, findToken } from '../queries/index.ts';
import { profileView, tokenView } from '../views.ts';

export const readMe = implement(operations.readMe)(async ({ db, caller, problem }) => {
  const [principal, token] = await Promise.all([
    findProfile(db, caller, limits.counts_max),
    caller.token === null ? undefined : findToken(db, caller.bucket, caller.token.id),
  ]);
  if (principal === undefined) throw problem('unauthenticated', 'This account no longer exists.');
  return {
    status: 200,
    body: {
      principal: profileView(principal, caller),
      token: token === undefined ? null : tokenView(token),
      scopes: [...caller.scopes],
    },
  };
});
