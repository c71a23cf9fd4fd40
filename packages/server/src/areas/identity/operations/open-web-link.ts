// POST /-/link: signs in with a one-time link, for people who registered through the API.
import { ceremonies } from '@colophon/contract';
import { implement, problem } from '#http';
import { readSecret } from '#lib/bucket-secret';
import { keyOf } from '#lib/id';
import { countPasskeys, findPrincipal, setWebLinkUsed } from '../queries/index.ts';
import { openSession } from '../service/sessions.ts';

function deadLink() {
  return problem(
    'unauthenticated',
    'This link was used already, or has expired. Get a new one with POST /v1/web-links.',
  );
}

export const openWebLink = implement(ceremonies.openWebLink)(async (
  { tx, caller, now, browser },
  { body },
) => {
  const secret = readSecret(body.secret);
  const id = secret === undefined ? undefined : await setWebLinkUsed(tx, secret, now);
  if (id === undefined) throw deadLink();
  const account = keyOf(id);
  const [principal, passkeys, session] = await Promise.all([
    findPrincipal(tx, account.bucket, account.id),
    countPasskeys(tx, account),
    openSession(tx, account, { caller, browser, now, isChecked: false }),
  ]);
  return { status: 200, body: { username: principal?.username ?? '', passkeys }, session };
});
