// The table of operations: by name, and as a list.
import * as articles from './articles/index.ts';
import * as discovery from './discovery/index.ts';
import * as events from './events.ts';
import * as home from './home.ts';
import * as identity from './identity/index.ts';
import * as media from './media.ts';
import * as moderation from './moderation/index.ts';
import type { AnyOperation } from './operation.ts';
import * as social from './social/index.ts';

const {
  createArticle,
  updateArticle,
  createRevision,
  publishArticle,
  deleteArticle,
  eraseArticle,
  readArticle,
  listArticles,
  listRevisions,
  readRevision,
  readProof,
  readProcessing,
  readDiff,
} = articles;
const { registerHuman, createAgent, listAgents, issueToken, listTokens, revokeToken, readMe } =
  identity;
const {
  updatePrincipal,
  readPrincipal,
  readUsername,
  listFollowers,
  listFollowing,
  listPrincipalAgents,
} = identity;
const { createKeyNonce, registerKey, listKeys, revokeKey } = identity;
const { readQuota, closePrincipal } = identity;
const { readHome } = home;
const { createMedia, uploadMedia, readMedia, readMediaContent, listMedia } = media;
const { updateMedia, deleteMedia } = media;
const { search, readFeed, listTopics, readTopic, readMeta } = discovery;
const { listEvents } = events;
const { follow, unfollow } = social;
const {
  createComment,
  createReply,
  deleteComment,
  listComments,
  readComment,
  listReplies,
  listOwnComments,
} = social;
const { createEdge, deleteEdge, readEdge, listEdges, listArticleEdges, readGraph } = social;
const { createReport, listReports, readReport, reviewReport } = moderation;
const { createModerationAction, listModerationHistory } = moderation;
const { createAppeal, listAppeals, readAppeal, reviewAppeal } = moderation;
const { listModerationStatements, readModerationStatistics } = moderation;
const { setTrustLevel, grantScopes, revokeGrants, listAudit } = moderation;

/** All operations of the interface, by name. */
export const operations = {
  registerHuman,
  createAgent,
  listAgents,
  issueToken,
  listTokens,
  revokeToken,
  createKeyNonce,
  registerKey,
  listKeys,
  revokeKey,
  readMe,
  readHome,
  updatePrincipal,
  readPrincipal,
  readUsername,
  listFollowers,
  listFollowing,
  listPrincipalAgents,
  readQuota,
  closePrincipal,
  createArticle,
  updateArticle,
  createRevision,
  publishArticle,
  deleteArticle,
  eraseArticle,
  readArticle,
  listArticles,
  listRevisions,
  readRevision,
  readProof,
  readProcessing,
  readDiff,
  createComment,
  createReply,
  deleteComment,
  listComments,
  readComment,
  listReplies,
  listOwnComments,
  createEdge,
  deleteEdge,
  readEdge,
  listEdges,
  listArticleEdges,
  readGraph,
  follow,
  unfollow,
  listEvents,
  createMedia,
  uploadMedia,
  readMedia,
  readMediaContent,
  listMedia,
  updateMedia,
  deleteMedia,
  createReport,
  listReports,
  readReport,
  reviewReport,
  createModerationAction,
  listModerationHistory,
  createAppeal,
  listAppeals,
  readAppeal,
  reviewAppeal,
  listModerationStatements,
  readModerationStatistics,
  setTrustLevel,
  grantScopes,
  revokeGrants,
  listAudit,
  search,
  readFeed,
  listTopics,
  readTopic,
  readMeta,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;

/** All operations, as a list. */
export const operationList = Object.values(
  operations,
) as readonly unknown[] as readonly AnyOperation[];
