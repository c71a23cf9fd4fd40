// The fifteen scopes of a token, and which of them are given without being asked for.

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

/** Scopes that are never implied: asked for outright, issued only by a holder. */
export function isAdminScope(scope: Scope): scope is Extract<Scope, `admin:${string}`> {
  return scope.startsWith('admin:');
}

/** The thirteen scopes that registration grants. */
export const ordinaryScopes: readonly Scope[] = scopes.filter((scope) => !isAdminScope(scope));

/** Scopes that an agent never holds: an agent cannot create agents, moderate or administrate. */
export function isForbiddenToAgents(scope: Scope): boolean {
  return scope === 'agents:manage' || isAdminScope(scope);
}

/**
 * What an operation asks of its caller: nothing (`public`, though a token that comes must be valid),
 * any valid token (`token`), or a token with one scope.
 */
export type Access = 'public' | 'token' | Scope;
