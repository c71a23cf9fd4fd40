// Ceremonies of somebody who has no session: join, sign in, recover, open a link.
import { closedObject, DisplayName, nullable, Username } from '../fields.ts';
import { operation } from '../operation.ts';
import { Answered, Begun, RecoveryCodes, SignedIn } from './ceremony-fields.ts';
import { Type } from '../schema.ts';

export const beginJoin = operation('beginJoin', {
  method: 'POST',
  path: '/-/join/begin',
  summary: 'Begin to join with a passkey',
  access: 'public',
  suspendedToo: true,
  body: closedObject({ username: Username, display_name: Type.Optional(nullable(DisplayName)) }),
  answers: { 200: Begun },
  problems: ['conflict'],
  rate: 'registrations_per_hour',
});

export const readFreeUsername = operation('readFreeUsername', {
  method: 'GET',
  path: '/-/join/username',
  summary: 'Read whether a username can be registered, and how it is spelled',
  access: 'public',
  suspendedToo: true,
  query: { username: Type.String() },
  answers: { 200: closedObject({ username: Type.String() }) },
  problems: ['conflict', 'validation-failed'],
});

export const join = operation('join', {
  method: 'POST',
  path: '/-/join',
  summary: 'Join: create the account of the new passkey',
  access: 'public',
  suspendedToo: true,
  body: Answered,
  answers: { 201: closedObject({ username: Type.String(), recovery_codes: RecoveryCodes }) },
  problems: ['conflict'],
});

export const beginSignIn = operation('beginSignIn', {
  method: 'POST',
  path: '/-/sign-in/begin',
  summary: 'Begin to sign in with a passkey',
  access: 'public',
  suspendedToo: true,
  answers: { 200: Begun },
  problems: [],
});

export const signIn = operation('signIn', {
  method: 'POST',
  path: '/-/sign-in',
  summary: 'Sign in with a passkey',
  access: 'public',
  suspendedToo: true,
  body: Answered,
  answers: { 200: SignedIn },
  problems: [],
});

export const recover = operation('recover', {
  method: 'POST',
  path: '/-/recover',
  summary: 'Sign in with a recovery code, which is then used up',
  access: 'public',
  suspendedToo: true,
  body: closedObject({ username: Username, code: Type.String({ maxLength: 64 }) }),
  answers: { 200: SignedIn },
  problems: [],
});

const LinkSecret = Type.String({ maxLength: 64 });

export const readWebLink = operation('readWebLink', {
  method: 'POST',
  path: '/-/link/account',
  summary: 'Read whose account a one-time link opens; the link is not used up',
  access: 'public',
  suspendedToo: true,
  body: closedObject({ secret: LinkSecret }),
  answers: { 200: closedObject({ username: Type.String() }) },
  problems: [],
});

export const openWebLink = operation('openWebLink', {
  method: 'POST',
  path: '/-/link',
  summary: 'Sign in with a one-time link, which is then used up',
  access: 'public',
  suspendedToo: true,
  body: closedObject({
    secret: LinkSecret,
    /** The account that is signed in now, if the link is of another one: it is signed out. */
    instead_of: Type.Optional(Username),
  }),
  answers: { 200: SignedIn },
  problems: ['conflict'],
});
