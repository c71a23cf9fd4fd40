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
