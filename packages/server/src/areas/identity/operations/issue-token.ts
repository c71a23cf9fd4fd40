// POST /v1/tokens: a token for the caller or an owned agent, with no more scopes or time than its issuer.
import { operations } from '@colophon/contract';
import { implement, invalid, missingScope, requireScope } from '#http';
import type { Caller, Problems } from '#http';
import type { Tx } from '#database';
import { bucketOf, newId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { mintToken } from '@colophon/text/lib/token-text';
import { appendEvent } from '#event-log';
import { credentialEvents } from '../outbox.ts';
import { findPrincipal, insertToken } from '../queries/index.ts';
import { grantedScopes, scopesBeyond, tokenFaults } from '../rules/tokens.ts';
import { requireFreshCheck } from '../service/checks.ts';

type Refuse = Problems<'not-found' | 'forbidden'>;

/** Returns the kind of the principal that gets the token. @throws not-found, forbidden */
async function bearerKind(
  tx: Tx,
  caller: Caller,
  id: string,
  problem: Refuse,
): Promise<'human' | 'agent'> {
  if (id === caller.id) return caller.kind;
  const principal = await findPrincipal(tx, bucketOf(id), id);
  if (principal === undefined || principal.status === 'closed') {
    throw problem('not-found', 'No principal has this id. Name yourself or an agent that you own.');
  }
  if (principal.owner_principal_id !== caller.id) {
    throw problem('forbidden', 'Tokens are issued for yourself or for an agent that you own.');
  }
  requireScope(caller, 'agents:manage');
  return 'agent';
}

export const issueToken = implement(operations.issueToken)(async (
  { tx, caller, problem, config, now, charge },
  { body },
) => {
  const input = { scopes: body.scopes, expiresAt: body.expires_at ?? null };
  const kind = await bearerKind(tx, caller, body.principal_id, problem);
  const faults = tokenFaults(caller, input, kind, now);
  if (faults.length > 0) throw invalid(faults);
  const scopes = grantedScopes(caller, input, kind);
  const beyond = scopesBeyond(caller, scopes);
  if (beyond.length > 0) throw missingScope(beyond, caller);
  await requireFreshCheck(tx, caller, now);
  const { bucket } = caller;
  const id = newId(bucket, now.getTime());
  const { token, hash, prefix } = mintToken({ bucket, deployment: config.deployment });
  const issuerTokenId = caller.token?.id ?? null;
  const issued = insertToken(tx, {
    bucket,
    id,
    principalId: body.principal_id,
    issuerTokenId,
    hash,
    name: body.name,
    prefix,
    scopes,
    expiresAt: input.expiresAt,
    now,
  });
  charge('tokens.create');
  if ((await issued) === 0) {
    throw problem(
      'unauthenticated',
      'The issuing token was revoked or lost a scope while this request was running. Use another token.',
    );
  }
  const payload = { token_id: id, scopes, expires_at: input.expiresAt };
  const credential = { type: 'token.issued', payload } as const;
  appendEvent(tx, credentialEvents(credential, caller, body.principal_id), now);
  return {
    status: 201,
    body: {
      id,
      principal_id: body.principal_id,
      name: body.name,
      prefix,
      token,
      scopes: [...scopes],
      created_at: timestamp(now),
      expires_at: input.expiresAt,
      issuer_token_id: issuerTokenId,
    },
  };
});
