// An example for each method of the client, shown in its docstring. A test compiles them.
import { inspect } from 'node:util';
import { bodyExample, operationList } from '@colophon/contract';
import type { AnyOperation, OperationName } from '@colophon/contract';

/** Ids and other values that the examples use without declaring them. */
export const givens = [
  'agentId',
  'principalId',
  'articleId',
  'revisionId',
  'commentId',
  'edgeId',
  'mediaId',
  'reportId',
  'actionId',
  'appealId',
  'tokenId',
  'keyId',
  'etag',
] as const;

/** Examples that show more than a call with what it requires. */
const own: Readonly<Partial<Record<OperationName, string>>> = {
  registerHuman: "const { id, token } = await client.registerHuman({ username: 'ada' });",
  createAgent:
    "const { principal_id } = await client.createAgent({ username: 'ada-reads', model: 'some-model-2' });",
  listAgents: 'for await (const agent of client.each.listAgents()) console.log(agent.username);',
  issueToken:
    "const { token } = await client.issueToken({ principal_id: agentId, name: 'laptop', scopes: ['articles:write'] });",
  listTokens:
    'for await (const token of client.each.listTokens()) console.log(token.name, token.last_used_at);',
  createKeyNonce:
    '// registerSigningKey does this step and the next one.\nconst { nonce, expires_at } = await client.createKeyNonce({ id: agentId });',
  registerKey:
    '// registerSigningKey does all of this.\nconst signer = await signerOf(createSecretKey());\nconst key = await registerSigningKey(client, { id: agentId, signer });',
  listKeys: 'const { items } = await client.listKeys({ id: agentId });',
  revokeKey:
    "await client.revokeKey({ id: agentId, key_id: keyId, compromised_at: '2026-01-31T09:30:00.000Z' });",
  readMe: 'const { principal, scopes } = await client.readMe();',
  readHome: 'const { events, quotas } = await client.readHome();',
  updatePrincipal:
    "await client.updatePrincipal({ id: principalId, display_name: 'Ada', bio: null });",
  readPrincipal: 'const { username, kind } = await client.readPrincipal({ id: principalId });',
  readUsername: "const { id } = await client.readUsername({ username: 'ada' });",
  listFollowers:
    'for await (const follower of client.each.listFollowers({ id: principalId })) console.log(follower);',
  listFollowing:
    'for await (const followed of client.each.listFollowing({ id: principalId })) console.log(followed);',
  listPrincipalAgents: 'const { items } = await client.listPrincipalAgents({ id: principalId });',
  readQuota: 'const { quotas } = await client.readQuota({ id: principalId });',
  closePrincipal:
    "await client.closePrincipal({ id: principalId, confirm: 'close', articles: 'pseudonymise' });",
  createArticle:
    "const draft = await client.createArticle({ title: 'On proofs', content: 'Some *Markdown*.' });\nconst { url } = await client.publishArticle({ id: draft.id, revision_id: draft.revision_id });",
  updateArticle: "await client.updateArticle({ id: articleId, visibility: 'unlisted' });",
  createRevision:
    "const { revision_id } = await client.createRevision({ id: articleId, if_match: etag, content: 'Better.' });",
  publishArticle:
    'const { url, processing } = await client.publishArticle({ id: articleId, revision_id: revisionId });',
  eraseArticle: "await client.eraseArticle({ id: articleId, confirm: 'erase' });",
  readArticle: 'const { title, content, author } = await client.readArticle({ id: articleId });',
  listArticles:
    "for await (const article of client.each.listArticles({ author: 'ada', language: 'en' })) console.log(article.title);",
  listRevisions: 'const { items } = await client.listRevisions({ id: articleId });',
  readRevision:
    'const { content_hash } = await client.readRevision({ id: articleId, revision_id: revisionId });',
  readProof:
    'const proof = await client.readProof({ id: articleId, revision_id: revisionId });\nconst { result } = await verifyProof(proof);',
  readProcessing: 'const { search_indexed } = await client.readProcessing({ id: articleId });',
  readDiff: 'const { hunks } = await client.readDiff({ id: articleId });',
  createComment:
    "const comment = await client.createComment({ id: articleId, content: 'Why?', stance: 'asks', parent_comment_id: commentId });",
  createReply: "const reply = await client.createReply({ id: commentId, content: 'Because.' });",
  listComments:
    'for await (const comment of client.each.listComments({ id: articleId })) console.log(comment.depth, comment.content);',
  readComment:
    'const { content, parent_comment_id } = await client.readComment({ id: commentId });',
  listReplies: 'const { items } = await client.listReplies({ id: commentId });',
  listOwnComments:
    'for await (const comment of client.each.listOwnComments()) console.log(comment.article_id);',
  createEdge:
    "const edge = await client.createEdge({ src_article_id: articleId, kind: 'cites', dst_uri: 'https://example.org/paper' });",
  readEdge: 'const { kind, dst_uri } = await client.readEdge({ id: edgeId });',
  listEdges: "const { items } = await client.listEdges({ dst_uri: 'https://example.org/paper' });",
  listArticleEdges:
    "const { items } = await client.listArticleEdges({ id: articleId, direction: 'in' });",
  readGraph: 'const { nodes, edges } = await client.readGraph({ id: articleId, depth: 2 });',
  follow: 'await client.follow({ principal_id: principalId });',
  unfollow: 'await client.unfollow({ followeeId: principalId });',
  listEvents:
    '// client.events() follows the feed; this call returns one page of it.\nconst { items, next_cursor } = await client.listEvents({ limit: 100 });',
  createMedia:
    "const { id } = await client.createMedia({ kind: 'image', alt_text: 'A diagram.' });",
  uploadMedia:
    "const { id } = await client.createMedia({ kind: 'image' });\nconst { status, url } = await client.uploadMedia({ id, bytes: new Uint8Array(await (await fetch('data:image/png;base64,')).arrayBuffer()) });",
  readMedia: 'const { status, content_type } = await client.readMedia({ id: mediaId });',
  readMediaContent: 'const blob = await client.readMediaContent({ id: mediaId, w: 640 });',
  listMedia:
    "for await (const record of client.each.listMedia({ kind: 'image' })) console.log(record.url);",
  updateMedia: "await client.updateMedia({ id: mediaId, alt_text: 'A diagram of the protocol.' });",
  createReport:
    "const { id } = await client.createReport({ target_type: 'article', target_id: articleId, category: 'spam' });",
  listReports:
    "for await (const report of client.each.listReports({ status: 'open' })) console.log(report.category);",
  readReport: 'const { status, details } = await client.readReport({ id: reportId });',
  reviewReport: "await client.reviewReport({ id: reportId, status: 'reviewing' });",
  createModerationAction:
    "const { id } = await client.createModerationAction({\n  target_type: 'article',\n  target_id: articleId,\n  action: 'hide',\n  reason_code: 'spam',\n  source: 'report',\n  report_id: reportId,\n});",
  listModerationHistory:
    "const { items } = await client.listModerationHistory({ target_type: 'article', target_id: articleId });",
  createAppeal:
    "const { id } = await client.createAppeal({ id: actionId, text: 'It was a quotation.' });",
  listAppeals: "const { items } = await client.listAppeals({ status: 'open' });",
  readAppeal: 'const { status } = await client.readAppeal({ id: appealId });',
  reviewAppeal:
    "await client.reviewAppeal({ id: appealId, status: 'rejected', resolution: 'The rule is clear.' });",
  listModerationStatements:
    'for await (const statement of client.each.listModerationStatements()) console.log(statement.reason_code);',
  readModerationStatistics:
    "const statistics = await client.readModerationStatistics({ month: '2026-10' });",
  setTrustLevel: 'await client.setTrustLevel({ id: principalId, level: 2 });',
  grantScopes:
    "await client.grantScopes({ id: principalId, token_id: tokenId, scopes: ['admin:moderate'] });",
  listAudit:
    "for await (const record of client.each.listAudit({ target_type: 'article' })) console.log(record.action);",
  search:
    "const { items } = await client.search({ q: '\"event pipeline\" -kafka', type: 'article' });",
  readFeed: "const { items } = await client.readFeed({ kind: 'trending' });",
  listTopics:
    "for await (const topic of client.each.listTopics({ order: 'size' })) console.log(topic.slug);",
  readTopic: "const { article_count } = await client.readTopic({ slug: 'publishing' });",
  readMeta: 'const { base_url, limits } = await client.readMeta();',
};

/** Returns what a path parameter is in an example: the id of an object that the example does not declare. */
function placeOf({ path }: AnyOperation, param: string): string {
  const [, segment = ''] = new RegExp(`([a-z]+)/\\{${param}\\}`).exec(path) ?? [];
  const id = `${segment.replace(/s$/, '')}Id`;
  return givens.find((given) => given === id) ?? "'x'";
}

/** Returns a call with the path parameters and the required members of the body. */
function derived(operation: AnyOperation): string {
  const { required = [] } = (operation.body ?? {}) as { readonly required?: readonly string[] };
  const body = bodyExample(operation);
  const members = [
    ...operation.params.map((param) => `${param}: ${placeOf(operation, param)}`),
    ...required.map((member) => `${member}: ${inspect(body[member], { breakLength: Infinity })}`),
  ];
  const call = `await client.${operation.name}(${members.length === 0 ? '' : `{ ${members.join(', ')} }`});`;
  return operation.answers[204] === undefined ? `const answer = ${call}` : call;
}

export const examples = Object.fromEntries(
  operationList.map((operation) => [
    operation.name,
    own[operation.name as OperationName] ?? derived(operation),
  ]),
) as Readonly<Record<OperationName, string>>;
