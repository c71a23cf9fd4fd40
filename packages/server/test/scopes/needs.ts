// Who may call which operation, stated a second time: the declarations are checked against it.
import { scopes } from '@colophon/contract';
import type { Access, AnyOperation, OperationName, ProblemName, Scope } from '@colophon/contract';

export interface Need {
  readonly access: Access;
  /** In addition to `access`. */
  readonly alsoScopes?: readonly Scope[];
  /** People only, whatever an agent's token carries. */
  readonly humansOnly?: true;
}

const anybody: Need = { access: 'public' };
const anyToken: Need = { access: 'token' };
/** An archive contains comments. */
const exported: Need = { access: 'articles:read', alsoScopes: ['comments:read'] };

/** A new operation does not pass before it was decided, here, who may call it. */
export const needs: Readonly<Record<OperationName, Need>> = {
  registerHuman: anybody,
  createAgent: { access: 'agents:manage', humansOnly: true },
  listAgents: { access: 'agents:read' },
  issueToken: anyToken,
  listTokens: anyToken,
  revokeToken: anyToken,
  createKeyNonce: anyToken,
  createWebLink: { access: 'profile:write', humansOnly: true },
  registerKey: anyToken,
  listKeys: anybody,
  revokeKey: anyToken,
  readMe: anyToken,
  readHome: { access: 'events:read' },
  updatePrincipal: { access: 'profile:write' },
  readPrincipal: anybody,
  readUsername: anybody,
  listFollowers: anybody,
  listFollowing: anybody,
  listPrincipalAgents: anybody,
  readQuota: anyToken,
  closePrincipal: { access: 'profile:write', humansOnly: true },
  createArticle: { access: 'articles:write' },
  updateArticle: { access: 'articles:write' },
  createRevision: { access: 'articles:write' },
  publishArticle: { access: 'articles:publish' },
  deleteArticle: { access: 'articles:delete' },
  eraseArticle: { access: 'articles:delete' },
  readArticle: anybody,
  listArticles: anybody,
  listRevisions: anybody,
  readRevision: anybody,
  readProof: anybody,
  readDiff: anybody,
  readProcessing: anybody,
  createComment: { access: 'comments:write' },
  createReply: { access: 'comments:write' },
  deleteComment: { access: 'comments:write' },
  listComments: anybody,
  readComment: anybody,
  listReplies: anybody,
  listOwnComments: { access: 'comments:read' },
  createEdge: { access: 'edges:write' },
  deleteEdge: { access: 'edges:write' },
  readEdge: anybody,
  listEdges: anybody,
  listArticleEdges: anybody,
  readGraph: anybody,
  follow: { access: 'follows:write' },
  unfollow: { access: 'follows:write' },
  listEvents: { access: 'events:read' },
  createMedia: { access: 'media:write' },
  uploadMedia: { access: 'media:write' },
  readMedia: anybody,
  readMediaContent: anyToken,
  listMedia: { access: 'media:write' },
  updateMedia: { access: 'media:write' },
  deleteMedia: { access: 'media:write' },
  createReport: anybody,
  listReports: { access: 'admin:moderate' },
  readReport: { access: 'admin:moderate' },
  reviewReport: { access: 'admin:moderate' },
  createModerationAction: { access: 'admin:moderate' },
  listModerationHistory: { access: 'admin:moderate' },
  createAppeal: anyToken,
  listAppeals: { access: 'admin:moderate' },
  readAppeal: { access: 'admin:moderate' },
  reviewAppeal: { access: 'admin:moderate' },
  listModerationStatements: anybody,
  readModerationStatistics: anybody,
  setTrustLevel: { access: 'admin:manage' },
  grantScopes: { access: 'admin:manage' },
  revokeGrants: { access: 'admin:manage' },
  listAudit: { access: 'admin:manage' },
  search: anybody,
  readFeed: anybody,
  listTopics: anybody,
  readTopic: anybody,
  readMeta: anybody,
  createExport: exported,
  listExports: exported,
  readExport: exported,
  readExportContent: exported,
  deleteExport: exported,
  readStances: anybody,
};

/** The row of an operation. Throws where it is not decided yet. */
export function needOf({ name }: Pick<AnyOperation, 'name'>): Need {
  const need = (needs as Readonly<Record<string, Need | undefined>>)[name];
  if (need === undefined) throw new Error(`Decide in test/scopes/needs.ts who may call ${name}.`);
  return need;
}

export type Actor = 'human' | 'agent' | 'moderator';

/** What no agent's token counts for, even where a row of the database says that it carries it. */
const neverAgents: ReadonlySet<Scope> = new Set([
  'agents:manage',
  'admin:moderate',
  'admin:manage',
]);

export interface Bearer {
  readonly actor: Actor;
  /** As they are in the token's row. */
  readonly scopes: readonly Scope[];
}

/** What the token counts for. */
export function carriedBy({ actor, scopes: stored }: Bearer): readonly Scope[] {
  return actor === 'agent' ? stored.filter((scope) => !neverAgents.has(scope)) : stored;
}

/** The scopes that an operation needs and a token lacks. */
export function missingOf(operation: Pick<AnyOperation, 'name'>, bearer: Bearer): readonly Scope[] {
  const { access, alsoScopes = [] } = needOf(operation);
  if (access === 'public' || access === 'token') return [];
  const held = carriedBy(bearer);
  return [access, ...alsoScopes].filter((scope) => !held.includes(scope));
}

/** How a request is refused at the door; undefined: it comes through. */
export function refusalOf(
  operation: AnyOperation,
  bearer: Bearer | undefined,
): ProblemName | undefined {
  const { access, humansOnly } = needOf(operation);
  if (bearer === undefined) return access === 'public' ? undefined : 'unauthenticated';
  if (missingOf(operation, bearer).length > 0) return 'insufficient-scope';
  return humansOnly && bearer.actor === 'agent' ? 'forbidden' : undefined;
}

/** The sets of scopes that the walk gives to a token: each scope alone, and all without it. */
export const bundles: readonly (readonly Scope[])[] = scopes.flatMap((scope) => [
  [scope],
  scopes.filter((one) => one !== scope),
]);
