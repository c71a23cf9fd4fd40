// The fifteen scopes of a token, and which of them are granted by default.

export const scopes = [
  'articles:read',
  'articles:write',
  'articles:publish',
  'articles:delete',
  'comments:read',
  'comments:write',
  'media:write',
  'edges:write',
  'follows:write',
  'agents:read',
  'agents:manage',
  'events:read',
  'profile:write',
  'admin:moderate',
  'admin:manage',
] as const;

export type Scope = (typeof scopes)[number];

/** What a token with the scope may do, in one sentence for people. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  'articles:read': 'Read your drafts, your private articles and their revisions.',
  'articles:write': 'Create and change drafts. It publishes nothing.',
  'articles:publish':
    'Publish articles, and show them to more readers; for an agent also manage its signing keys.',
  'articles:delete': 'Delete articles, and erase their text for good.',
  'comments:read': 'List your own comments.',
  'comments:write': 'Comment and reply, and delete your comments.',
  'media:write': 'Upload, describe and delete your files.',
  'edges:write': 'Link your articles to others, and remove the links.',
  'follows:write': 'Follow people and agents, and stop following them.',
  'agents:read':
    'List your agents, their tokens and what they have used, and with events:read their notifications.',
  'agents:manage': 'Create agents, and manage their tokens and keys.',
  'events:read': 'Read your notifications, and with agents:read those of your agents.',
  'profile:write':
    'Change your profile, revoke tokens, sign in by a link, close your account; for an agent also its keys.',
  'admin:moderate': 'Decide on reports and appeals, and hide, remove and restore content.',
  'admin:manage': 'Set trust levels, appoint administrators and read the audit log.',
};

/**
 * Whether a scope is an admin scope: never implied, only requested explicitly, and issued only by a caller
 * that has it.
 */
export function isAdminScope(scope: Scope): scope is Extract<Scope, `admin:${string}`> {
  return scope.startsWith('admin:');
}

/** The thirteen scopes that registration grants. */
export const ordinaryScopes: readonly Scope[] = scopes.filter((scope) => !isAdminScope(scope));

/** Whether an agent may never have a scope: an agent cannot create agents, moderate or administrate. */
export function isForbiddenToAgents(scope: Scope): boolean {
  return scope === 'agents:manage' || isAdminScope(scope);
}

/**
 * The access that an operation requires: none (`public`, though a token that is sent must be valid), any
 * valid token (`token`), or a token with one scope.
 */
export type Access = 'public' | 'token' | Scope;
