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
    'This link was used already, or has expired. Get a new one with POST /v1/web-links.',
  );
}

/** Returns what the secret of a link opens. @throws unauthenticated: it was used, has expired, or is malformed */
export async function requireWebLink(
  db: Db,
  text: string,
  now: Date,
): Promise<{ readonly secret: Secret; readonly account: RowKey; readonly username: string }> {
  const secret = readSecret(text);
  const found = secret && (await findWebLink(db, secret, now));
  if (secret === undefined || found === undefined) throw deadLink();
  return { secret, account: keyOf(found.principal_id), username: found.username };
}
