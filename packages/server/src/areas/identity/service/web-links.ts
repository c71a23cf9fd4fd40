// One-time links: whose account one opens.
import type { Db } from '#database';
import { problem } from '#http';
import type { Problem } from '#http';
import { readSecret } from '#lib/bucket-secret';
import type { Secret } from '#lib/bucket-secret';
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { findWebLink } from '../queries/index.ts';

export function deadLink(): Problem {
  return problem(
    'unauthenticated',
    'This link was used already, has expired, or its token was revoked. Get a new one with POST /v1/web-links.',
  );
}

interface OpenLink {
  readonly secret: Secret;
  readonly account: RowKey;
  readonly username: string;
  /** The token that made it, if one did. */
  readonly tokenId: string | null;
}

/**
 * Returns what the secret of a link opens.
 * @throws unauthenticated: it was used, has expired, is malformed, or its token is no longer valid
 */
export async function requireWebLink(db: Db, text: string, now: Date): Promise<OpenLink> {
  const secret = readSecret(text);
  const found = secret && (await findWebLink(db, secret, now));
  if (secret === undefined || found === undefined) throw deadLink();
  const { principal_id: id, username, token_id: tokenId } = found;
  return { secret, account: keyOf(id), username, tokenId };
}
