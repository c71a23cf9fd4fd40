// POST /-/link: signs in with a one-time link, for people who registered through the API.
import { ceremonies } from '@colophon/contract';
import { implement, problem } from '#http';
import { readSecret } from '#lib/bucket-secret';
import { keyOf } from '#lib/id';
import { countPasskeys, findWebLink, lockOpenAccount, setWebLinkUsed } from '../queries/index.ts';
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
  const id = secret && (await findWebLink(tx, secret, now));
  if (secret === undefined || id === undefined) throw deadLink();
  const account = keyOf(id);
  // The account first, as closing it does: neither waits for the other in a circle.
  const [open, used, passkeys] = await Promise.all([
    lockOpenAccount(tx, account),
    setWebLinkUsed(tx, secret, now),
    countPasskeys(tx, account),
  ]);
  if (open === undefined || used === 0) throw deadLink();
  const session = openSession(tx, account, { caller, browser, now, isChecked: false });
  return { status: 200, body: { username: open.username, passkeys }, session };
});
