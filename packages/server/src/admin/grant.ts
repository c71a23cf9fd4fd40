// grant USERNAME SCOPE…: issues a token with the human's scopes and the admin scopes named.
import { isAdminScope, ordinaryScopes, scopes } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import { issueAdminToken, principalNamed } from '#identity';
import { appendAudit } from '#moderation';
import { appendEvent } from '#event-log';
import type { Services } from '#services';
import { timestamp } from '#lib/timestamp';
import { requireUsername } from './command.ts';
import type { Command } from './command.ts';

const adminScopes = scopes.filter(isAdminScope);

function readScopes(names: readonly string[]): readonly Scope[] {
  const wrong = names.find((name) => !(adminScopes as readonly string[]).includes(name));
  if (names.length === 0 || wrong !== undefined) {
    throw new Error(
      `${wrong === undefined ? 'Name the scopes to grant' : `${wrong} is not an admin scope`}: grant USERNAME ${adminScopes.join(' ')}`,
    );
  }
  return [...new Set(names)] as Scope[];
}

async function grantTo(services: Services, username: string, extra: readonly Scope[]) {
  const { db, config, now } = services;
  const principalId = await principalNamed(db, username);
  if (principalId === undefined) {
    throw new Error(
      `No account has the username ${username}. Register it first with POST /v1/humans.`,
    );
  }
  const all = [...ordinaryScopes, ...extra];
  const at = now();
  const token = await db.transaction(async (tx) => {
    const made = await issueAdminToken(tx, {
      principalId,
      scopes: all,
      deployment: config.deployment,
      now: at,
    });
    await appendAudit(tx, {
      actor: 'operator',
      action: 'grant',
      target_type: 'principal',
      target_id: principalId,
      details: { scopes: extra, token_id: made.id },
      created_at: timestamp(at),
    });
    appendEvent(
      tx,
      [
        {
          recipientId: principalId,
          type: 'token.issued',
          actorId: null,
          subjectType: 'principal',
          subjectId: principalId,
          payload: { token_id: made.id, scopes: all, expires_at: null },
        },
      ],
      at,
    );
    return made.token;
  });
  return { principal_id: principalId, scopes: all, token };
}

export const grant: Command = ([first, ...names]) => {
  const username = requireUsername(first, `grant USERNAME ${adminScopes.join(' ')}`);
  const extra = readScopes(names);
  return async ({ services, stdout, stderr }) => {
    const result = await grantTo(services, username, extra);
    stdout.write(`${JSON.stringify(result)}\n`);
    stderr.write('The token is shown only once. Store it safely.\n');
    return 0;
  };
};
