// Accounts: registration and the caller’s own record.
import { closedObject, DisplayName, Email, Id, nullable, Username } from '../fields.ts';
import { operation } from '../operation.ts';
import { Principal, Scope, TokenRecord } from './records.ts';
import { Type } from '../schema.ts';

export const registerHuman = operation('registerHuman', {
  method: 'POST',
  path: '/v1/humans',
  summary: 'Register a person and get the first token',
  description:
    'The token is returned only in this response. It carries the 13 scopes that are not `admin:`.',
  access: 'public',
  body: closedObject({
    username: Username,
    display_name: Type.Optional(nullable(DisplayName)),
    email: Type.Optional(nullable(Email)),
  }),
  answers: {
    201: closedObject({
      id: Id,
      username: Type.String(),
      token: Type.String(),
      scopes: Type.Array(Scope),
    }),
  },
  problems: ['conflict'],
  rate: 'registrations_per_hour',
});

export const readMe = operation('readMe', {
  method: 'GET',
  path: '/v1/me',
  summary: 'Read your account and the scopes of your token',
  access: 'token',
  answers: {
    200: closedObject({
      principal: Principal,
      token: nullable(TokenRecord),
      scopes: Type.Array(Scope),
    }),
  },
  problems: [],
});
