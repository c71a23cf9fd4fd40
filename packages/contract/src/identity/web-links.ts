// One-time links that open the web application.
import { closedObject, noMembers, nullable, Timestamp } from '../fields.ts';
import { operation } from '../operation.ts';
import { Type } from '../schema.ts';

export const createWebLink = operation('createWebLink', {
  method: 'POST',
  path: '/v1/web-links',
  summary: 'Get a one-time link that signs you in to the web application',
  description:
    'Open the link in a browser within 10 minutes: it starts a session once, and asks for a passkey, ' +
    'with which you sign in from then on. Until then the session has the scopes of the token of this request, and ' +
    'ends with it; the first passkey needs a token with every scope of the account and without an end. Anyone who has the link can sign in as you: do not share it.',
  access: 'profile:write',
  humansOnly: true,
  body: noMembers,
  answers: { 201: closedObject({ url: nullable(Type.String()), expires_at: Timestamp }) },
  problems: [],
  idempotency: 'accepted',
  secrets: ['url'],
});
