// The caller’s own sessions: list them, end them.
import { closedObject } from '../fields.ts';
import { operation } from '../operation.ts';
import { SessionRecord } from './ceremony-fields.ts';
import { Type } from '../schema.ts';

export const listSessions = operation('listSessions', {
  method: 'GET',
  path: '/-/sessions',
  summary: 'List your sessions',
  access: 'token',
  answers: { 200: closedObject({ items: Type.Array(SessionRecord) }) },
  problems: [],
});

export const endSession = operation('endSession', {
  method: 'DELETE',
  path: '/-/sessions/{id}',
  summary: 'Sign out of one session',
  access: 'token',
  suspendedToo: true,
  answers: { 204: null },
  problems: [],
});

export const endSessions = operation('endSessions', {
  method: 'DELETE',
  path: '/-/sessions',
  summary: 'Sign out everywhere, here too',
  access: 'token',
  suspendedToo: true,
  answers: { 204: null },
  problems: [],
});

export const signOut = operation('signOut', {
  method: 'POST',
  path: '/-/sign-out',
  summary: 'Sign out here',
  access: 'token',
  suspendedToo: true,
  answers: { 204: null },
  problems: [],
});
