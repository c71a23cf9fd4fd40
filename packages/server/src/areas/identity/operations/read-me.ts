// GET /v1/me: who the caller is and what the token may do.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { findPrincipal, findToken } from '../queries.ts';
import { principalView } from '../views.ts';

export const readMe = implement(operations.readMe)(async ({ db, caller, problem }) => {
  const [principal, token] = await Promise.all([
    findPrincipal(db, caller.bucket, caller.id),
    caller.token === null ? undefined : findToken(db, caller.bucket, caller.token.id),
  ]);
  if (principal === undefined)
    throw problem('unauthenticated', 'This account does not exist any more.');
  return {
    status: 200,
    body: {
      principal: principalView(principal),
      token: token ?? null,
      scopes: [...caller.scopes],
    },
  };
});
