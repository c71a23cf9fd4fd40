// DELETE /v1/tokens/{id}: revokes a token, effective for the next request.
import { operations } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import { implement } from '#http';
import type { Caller } from '#http';
import type { Tx } from '#database';
import { wakeWaiting } from '#event-log';
import { bucketOf } from '#lib/id';
import { findTokenState, setTokenRevoked, setTokenTreeRevoked } from '../queries/index.ts';
import type { TokenState } from '../queries/index.ts';

type Right =
  | { readonly mayAsk: false }
  | { readonly mayAsk: true; readonly needs: Scope | undefined };

/** Returns whether the caller may revoke the token, and the scope that this requires. */
function rightTo(caller: Caller, id: string, token: TokenState): Right {
  const own = caller.token?.id;
  if (own !== undefined && (id === own || token.issuer_token_id === own))
    return { mayAsk: true, needs: undefined };
  if (token.principal_id === caller.id) return { mayAsk: true, needs: 'profile:write' };
  if (token.owner_principal_id === caller.id) return { mayAsk: true, needs: 'agents:manage' };
  return { mayAsk: false };
}

/** Revokes the token and all tokens issued from it, including those that are being issued concurrently. */
async function revokeTree(tx: Tx, bucket: number, id: string, now: Date): Promise<void> {
  // Each statement sees what was committed before it began: a token that one pass waited for is found by the
  // next.
  while ((await setTokenTreeRevoked(tx, bucket, id, now)) > 0);
}

export const revokeToken = implement(operations.revokeToken)(
  async ({ tx, caller, problem, now, requireScope }, { params, query }) => {
    const bucket = bucketOf(params.id);
    const token = await findTokenState(tx, bucket, params.id);
    const right = token === undefined ? undefined : rightTo(caller, params.id, token);
    if (token === undefined || right?.mayAsk !== true)
      throw problem('not-found', 'You have no token with this id. GET /v1/tokens lists yours.');
    if (right.needs !== undefined) requireScope(right.needs);
    if (query.with_issued === true) await revokeTree(tx, bucket, params.id, now);
    else void setTokenRevoked(tx, bucket, params.id, now);
    // Those whose token is still valid go on waiting.
    wakeWaiting(tx, token.household);
    return { status: 204, body: undefined };
  },
  {},
  { endsCredentials: true },
);
