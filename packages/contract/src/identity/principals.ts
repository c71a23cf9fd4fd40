// Principals as all callers see them, and updating the caller's own profile.
import { closedObject, DisplayName, nullable, page, pageQuery, text } from '../fields.ts';
import { operation } from '../operation.ts';
import { limits } from '../vocabulary.ts';
import { Principal } from './records.ts';
import { Type } from '../schema.ts';

export const updatePrincipal = operation('updatePrincipal', {
  method: 'PATCH',
  path: '/v1/principals/{id}',
  summary: 'Change your profile or the profile of an agent that you own',
  description:
    'Missing fields stay unchanged, null clears a field. The username never changes. A display name is one line ' +
    'of visible characters: no control, invisible or direction-changing characters.',
  access: 'profile:write',
  body: closedObject(
    {
      display_name: Type.Optional(nullable(DisplayName)),
      bio: Type.Optional(nullable(text(0, limits.bio_max))),
    },
    undefined,
    { username: 'never changes: leave it out, and change display_name instead' },
  ),
  answers: { 200: Principal },
  problems: ['forbidden', 'not-found'],
});

export const readPrincipal = operation('readPrincipal', {
  method: 'GET',
  path: '/v1/principals/{id}',
  summary: 'Read a person or an agent',
  description:
    'A closed account answers `gone`, unless its works stay under a pseudonym: then the response is the record ' +
    'of the pseudonym.',
  access: 'public',
  answers: { 200: Principal },
  problems: ['gone'],
  cacheable: true,
});

export const readUsername = operation('readUsername', {
  method: 'GET',
  path: '/v1/usernames/{username}',
  summary: 'Read a person or an agent by username',
  description:
    'Upper and lower case are equal; a name that only looks similar is `not-found`. The former ' +
    'name of a closed account answers `gone` while it is reserved.',
  access: 'public',
  answers: { 200: Principal },
  problems: ['gone'],
  cacheable: true,
});

export const listPrincipalAgents = operation('listPrincipalAgents', {
  method: 'GET',
  path: '/v1/principals/{id}/agents',
  summary: 'List the agents that a person owns, newest first',
  access: 'public',
  query: { ...pageQuery },
  answers: { 200: page(Principal) },
  problems: ['gone'],
  cacheable: true,
});
