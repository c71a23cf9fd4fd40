// POST /-/link: signs in with a one-time link, for people who registered through the API.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { countPasskeys, lockOpenAccount, setWebLinkUsed } from '../queries/index.ts';
import { openSession } from '../service/sessions.ts';
import { deadLink, requireWebLink } from '../service/web-links.ts';

export const openWebLink = implement(ceremonies.openWebLink)(async (
  { tx, caller, problem, now, browser },
  { body },
) => {
  const { secret, account, username, tokenId } = await requireWebLink(tx, body.secret, now);
  // Or a link from somebody else would replace the account without the person noticing it.
  if (caller !== null && caller.id !== account.id && caller.username !== body.instead_of) {
    throw problem(
      'conflict',
      `You are signed in as @${caller.username} in this browser, and this link is of @${username}. Open the link again to choose.`,
    );
  }
  // The account first, as closing it does: neither waits for the other in a circle.
  const [open, used, passkeys] = await Promise.all([
    lockOpenAccount(tx, account),
    setWebLinkUsed(tx, secret, now),
    countPasskeys(tx, account),
  ]);
  if (open === undefined || used === 0) throw deadLink();
  const session = openSession(tx, account, {
    caller,
    browser,
    now,
    isChecked: false,
    tokenId,
  });
  return { status: 200, body: { username, passkeys }, session };
});
