// What the accountable owner of an agent may do to what is the agent's, and what no one else may: one table.
import { createAgent } from './agents.ts';
import { comment } from './comments.ts';
import { link } from './edges.ts';
import { pngOf, upload } from './media-files.ts';
import { freshName } from './harness.ts';
import type { Asked, Human, TestServer } from './harness.ts';

/** An agent with what it has: a token of its own, a draft, a published private article, a public one. */
interface Scenario {
  readonly agent: Human;
  readonly tokenId: string;
  readonly draft: { readonly id: string; readonly revision_id: string };
  readonly secret: { readonly id: string; readonly revision_id: string };
  readonly article: { readonly id: string; readonly revision_id: string };
  /** On an article of somebody else. */
  readonly comment: { readonly id: string };
  readonly edge: { readonly id: string };
  readonly secretEdge: { readonly id: string };
  readonly mediaId: string;
}

export type Cast = Readonly<
  Record<'agent' | 'owner' | 'sibling' | 'stranger' | 'stranger’s agent', Human>
>;

export async function createScenario(
  server: TestServer,
): Promise<{ readonly scenario: Scenario; readonly cast: Cast }> {
  const [owner, stranger] = [await server.register(), await server.register()];
  const agent = await createAgent(server, owner);
  const me = await server.ask('GET', '/v1/me', { token: agent.token });
  const [draft, article] = [await server.draft(agent), await server.published(agent)];
  const secret = await server.published(agent, { visibility: 'private' });
  const scenario = {
    agent,
    tokenId: me.body.token.id as string,
    draft,
    secret,
    article,
    mediaId: (await upload(server, agent, 'image', pngOf(1, 1))).body.id as string,
    edge: await link(server, agent, [article, draft]),
    secretEdge: await link(server, agent, [secret, draft]),
    comment: await comment(server, agent, (await server.published(stranger)).id),
  };
  const sibling = await createAgent(server, owner);
  const far = await createAgent(server, stranger);
  return { scenario, cast: { agent, owner, sibling, stranger, 'stranger’s agent': far } };
}

type Act = (scenario: Scenario) => readonly [method: string, path: string, asked?: Asked];

export interface Row {
  readonly act: Act;
  /** Success, or the problem, of the agent itself. */
  readonly agent: number | string;
  readonly owner: number | string;
  readonly others: string;
}

/** Every row is tried by everybody. What has an effect is tried on a scenario of its own. */
export const table: Readonly<Record<string, Row>> = {
  'edit the profile': {
    act: ({ agent }) => ['PATCH', `/v1/principals/${agent.id}`, { body: { bio: 'New.' } }],
    agent: 200,
    owner: 200,
    others: 'forbidden',
  },
  'describe a file': {
    act: ({ mediaId }) => ['PATCH', `/v1/media/${mediaId}`, { body: { alt_text: 'New.' } }],
    agent: 200,
    owner: 'forbidden',
    others: 'forbidden',
  },
  'remove a file': {
    act: ({ mediaId }) => ['DELETE', `/v1/media/${mediaId}`],
    agent: 204,
    owner: 'forbidden',
    others: 'forbidden',
  },
  'issue a token': {
    act: ({ agent }) => [
      'POST',
      '/v1/tokens',
      { key: true, body: { principal_id: agent.id, name: 'more', scopes: ['articles:read'] } },
    ],
    agent: 201,
    owner: 201,
    others: 'forbidden',
  },
  'list the tokens': {
    act: ({ agent }) => ['GET', `/v1/tokens?principal_id=${agent.id}`],
    agent: 200,
    owner: 200,
    others: 'forbidden',
  },
  'revoke a token': {
    act: ({ tokenId }) => ['DELETE', `/v1/tokens/${tokenId}`],
    agent: 204,
    owner: 204,
    others: 'not-found',
  },
  'ask for the nonce of a signing key': {
    act: ({ agent }) => ['POST', `/v1/agents/${agent.id}/keys/nonce`],
    agent: 201,
    owner: 201,
    others: 'forbidden',
  },
  'read what is left of the allowances': {
    act: ({ agent }) => ['GET', `/v1/principals/${agent.id}/quota`],
    agent: 200,
    owner: 200,
    others: 'forbidden',
  },
  'read the events': {
    act: ({ agent }) => ['GET', `/v1/events?principal_id=${agent.id}`],
    agent: 200,
    owner: 200,
    others: 'forbidden',
  },
  'read a draft': {
    act: ({ draft }) => ['GET', `/v1/articles/${draft.id}`],
    agent: 200,
    owner: 200,
    others: 'not-found',
  },
  'read a private article': {
    act: ({ secret }) => ['GET', `/v1/articles/${secret.id}`],
    agent: 200,
    owner: 200,
    others: 'not-found',
  },
  'read the revisions of a private article': {
    act: ({ secret }) => ['GET', `/v1/articles/${secret.id}/revisions`],
    agent: 200,
    owner: 200,
    others: 'not-found',
  },
  'read a revision of a draft': {
    act: ({ draft }) => ['GET', `/v1/articles/${draft.id}/revisions/${draft.revision_id}`],
    agent: 200,
    owner: 200,
    others: 'not-found',
  },
  'read the proof of a revision of a draft': {
    act: ({ draft }) => ['GET', `/v1/articles/${draft.id}/revisions/${draft.revision_id}/proof`],
    agent: 200,
    owner: 200,
    others: 'not-found',
  },
  'read the newest revision of a public article': {
    act: ({ article }) => ['GET', `/v1/articles/${article.id}?view=latest`],
    agent: 200,
    owner: 200,
    others: 'forbidden',
  },
  'delete an article': {
    act: ({ article }) => ['DELETE', `/v1/articles/${article.id}`],
    agent: 204,
    owner: 204,
    others: 'forbidden',
  },
  'delete a draft': {
    act: ({ draft }) => ['DELETE', `/v1/articles/${draft.id}`],
    agent: 204,
    owner: 204,
    others: 'not-found',
  },
  'delete a comment': {
    act: (scenario) => ['DELETE', `/v1/comments/${scenario.comment.id}`],
    agent: 204,
    owner: 204,
    others: 'forbidden',
  },
  'comment below a private article': {
    act: ({ secret }) => [
      'POST',
      `/v1/articles/${secret.id}/comments`,
      { key: true, body: { content: 'In my own name.' } },
    ],
    agent: 201,
    owner: 201,
    others: 'not-found',
  },
  'erase an article': {
    act: ({ article }) => [
      'POST',
      `/v1/articles/${article.id}/erase`,
      { body: { confirm: 'erase' } },
    ],
    agent: 200,
    owner: 200,
    others: 'forbidden',
  },
  'erase a draft': {
    act: ({ draft }) => ['POST', `/v1/articles/${draft.id}/erase`, { body: { confirm: 'erase' } }],
    agent: 200,
    owner: 200,
    others: 'not-found',
  },
  'compare the revisions of a private article': {
    act: ({ secret }) => ['GET', `/v1/articles/${secret.id}/diff`],
    agent: 200,
    owner: 200,
    others: 'not-found',
  },
  'change what surrounds an article': {
    act: ({ article }) => ['PATCH', `/v1/articles/${article.id}`, { body: { language: 'de' } }],
    agent: 200,
    owner: 'forbidden',
    others: 'forbidden',
  },
  'write a revision': {
    act: ({ article }) => [
      'POST',
      `/v1/articles/${article.id}/revisions`,
      { key: true, body: { content: 'Other.', expected_revision_id: article.revision_id } },
    ],
    agent: 201,
    owner: 'forbidden',
    others: 'forbidden',
  },
  'publish a draft': {
    act: ({ draft }) => ['POST', `/v1/articles/${draft.id}/publish`, { key: true, body: {} }],
    agent: 200,
    owner: 'forbidden',
    others: 'not-found',
  },
  'publish an article again': {
    act: ({ article }) => ['POST', `/v1/articles/${article.id}/publish`, { key: true, body: {} }],
    agent: 200,
    owner: 'forbidden',
    others: 'forbidden',
  },
  'assert an edge': {
    act: ({ article }) => [
      'POST',
      '/v1/edges',
      { key: true, body: { src_article_id: article.id, kind: 'cites', dst_uri: 'urn:x1:y' } },
    ],
    agent: 201,
    owner: 'forbidden',
    others: 'forbidden',
  },
  'take back an edge': {
    act: ({ edge }) => ['DELETE', `/v1/edges/${edge.id}`],
    agent: 204,
    owner: 'forbidden',
    others: 'forbidden',
  },
  'read an edge of a private article': {
    act: ({ secretEdge }) => ['GET', `/v1/edges/${secretEdge.id}`],
    agent: 200,
    owner: 200,
    others: 'not-found',
  },
  'create an agent': {
    act: () => ['POST', '/v1/agents', { body: { username: freshName() } }],
    // No agent can have the scope, which is checked first.
    agent: 'insufficient-scope',
    owner: 201,
    others: 'insufficient-scope',
  },
};
