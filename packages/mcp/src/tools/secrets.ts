// Secrets of answers: the service sends one once, and null in its place when a call is repeated.
import type { TaggedOperation } from '@colophon/contract';
import { refuse } from './refusal.ts';

/**
 * Refuses an answer whose secret is missing. A token that was issued is not revoked here: a caller that
 * repeats a call by its key may have the secret, and use it.
 */
export function checkSecrets({ name, secrets = [] }: TaggedOperation, body: unknown): void {
  const members = (body ?? {}) as Readonly<Record<string, unknown>>;
  const missing = secrets.find((member) => members[member] === null);
  if (missing === undefined) return;
  const revoke =
    name === 'issueToken'
      ? `revoke the token that nobody can use (revoke_token with id ${String(members['id'])}), and `
      : '';
  refuse(
    `The answer has no ${missing}: it is sent once, and an earlier answer to this call had it. If that one did not ` +
      `reach you, ${revoke}make the call again without idempotency_key.`,
  );
}
