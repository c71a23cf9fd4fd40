// POST /-/link/account: whose account a link opens, so that the page can name it before the person signs in.
import { ceremonies } from '@colophon/contract';
import { implement } from '#http';
import { requireWebLink } from '../service/web-links.ts';

export const readWebLink = implement(ceremonies.readWebLink)(async ({ tx, now }, { body }) => {
  const { username } = await requireWebLink(tx, body.secret, now);
  return { status: 200, body: { username } };
});
