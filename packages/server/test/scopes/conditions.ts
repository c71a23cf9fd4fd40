// Where what is asked for decides about the scope, beyond the one that the operation declares: each case with its reason.
import assert from 'node:assert/strict';
import type { OperationName, Scope } from '@colophon/contract';
import { createAgent } from '../agents.ts';
import type { Asked, TestServer } from '../harness.ts';
import { freshKeyPair } from '../key-pairs.ts';
import { readyExport } from '../exports.ts';
import { register } from '../registered-keys.ts';
import type { Condition, Scenario } from './condition.ts';
import { exported, exportNeeds } from './export-conditions.ts';

async function idOf(server: TestServer, token: string): Promise<string> {
  return (await server.ask('GET', '/v1/me', { token })).body.token.id as string;
}

export async function createScenario(server: TestServer): Promise<Scenario> {
  const human = await server.register();
  const agent = await createAgent(server, human);
  const article = await server.published(human);
  const revised = await server.ask('POST', `/v1/articles/${article.id}/revisions`, {
    token: human.token,
    key: true,
    body: { content: 'Not published yet.', expected_revision_id: article.revision_id },
  });
  assert.equal(revised.status, 201, JSON.stringify(revised.body));
  return {
    human,
    agent,
    draft: await server.draft(human),
    secret: await server.published(human, { visibility: 'private' }),
    article: { ...article, newest: revised.body.revision_id },
    agentsDraft: await server.draft(agent),
    keyId: (await register(server, agent)).body.id as string,
    spare: await idOf(server, await server.tokenWith(human, [])),
    agentsSpare: await idOf(server, await server.tokenWith(agent, [])),
    exportId: (await readyExport(server, human)).id as string,
    agentsExportId: (await readyExport(server, human, agent.id)).id as string,
  };
}

/** Passes the checks of form, and is refused for what it says after the scope was looked at. */
function falseProof(): Asked {
  const { publicKey } = freshKeyPair();
  const body = {
    public_key: publicKey.toString('base64url'),
    signature: 'A'.repeat(86),
    nonce: 'x',
  };
  return { body };
}

const issueRequest = (principal_id: string, scopes: readonly Scope[]): Asked => ({
  key: true,
  body: { principal_id, name: 'a child', scopes },
});

const own = ['profile:write', 'articles:publish'] as const;

const keys: readonly Condition[] = (['human', 'agent'] as const).flatMap((who) => {
  const when =
    who === 'human'
      ? 'for an agent that one owns: it is managing the agent'
      : 'for itself: it says who the agent is, or signs what it publishes';
  const anyOf: Condition['anyOf'] = who === 'human' ? ['agents:manage'] : own;
  return [
    {
      operation: 'createKeyNonce',
      when,
      who,
      anyOf,
      ask: ({ agent }) => [`/v1/agents/${agent.id}/keys/nonce`],
    },
    {
      operation: 'registerKey',
      when,
      who,
      anyOf,
      ask: ({ agent }) => [`/v1/agents/${agent.id}/keys`, falseProof()],
    },
    {
      operation: 'revokeKey',
      when,
      who,
      anyOf,
      ask: ({ agent, keyId }) => [`/v1/agents/${agent.id}/keys/${keyId}`],
    },
  ];
});

const tokens: readonly Condition[] = [
  {
    operation: 'issueToken',
    when: 'with a scope: no token is more powerful than the one that issues it',
    who: 'human',
    anyOf: ['articles:read'],
    ask: ({ human }) => ['/v1/tokens', issueRequest(human.id, ['articles:read'])],
  },
  {
    operation: 'issueToken',
    when: 'with a scope: the same for an agent',
    who: 'agent',
    anyOf: ['comments:read'],
    ask: ({ agent }) => ['/v1/tokens', issueRequest(agent.id, ['comments:read'])],
  },
  {
    operation: 'issueToken',
    when: 'with an admin scope: only a caller who has it may give it',
    who: 'human',
    anyOf: ['admin:manage'],
    ask: ({ human }) => ['/v1/tokens', issueRequest(human.id, ['admin:manage'])],
  },
  {
    operation: 'issueToken',
    when: 'for an agent that one owns: it is managing the agent',
    who: 'human',
    anyOf: ['agents:manage'],
    ask: ({ agent }) => ['/v1/tokens', issueRequest(agent.id, [])],
  },
  {
    operation: 'listTokens',
    when: 'of an agent that one owns: it is reading about the agent',
    who: 'human',
    anyOf: ['agents:read'],
    ask: ({ agent }) => [`/v1/tokens?principal_id=${agent.id}`],
  },
  {
    operation: 'revokeToken',
    when: 'another token of the caller’s own: a leaked token must not lock its owner out',
    who: 'human',
    anyOf: ['profile:write'],
    ask: ({ spare }) => [`/v1/tokens/${spare}`],
  },
  {
    operation: 'revokeToken',
    when: 'another token of the caller’s own: the same for an agent',
    who: 'agent',
    anyOf: ['profile:write'],
    ask: ({ agentsSpare }) => [`/v1/tokens/${agentsSpare}`],
  },
  {
    operation: 'revokeToken',
    when: 'of an agent that one owns: it is managing the agent',
    who: 'human',
    anyOf: ['agents:manage'],
    ask: ({ agentsSpare }) => [`/v1/tokens/${agentsSpare}`],
  },
  {
    operation: 'readQuota',
    when: 'of an agent that one owns: it is reading about the agent',
    who: 'human',
    anyOf: ['agents:read'],
    ask: ({ agent }) => [`/v1/principals/${agent.id}/quota`],
  },
];

const unseen = 'only the author and the owner may see it';

const articles: readonly Condition[] = [
  {
    operation: 'updateArticle',
    when: 'that widens the visibility of what was published: it is publishing',
    who: 'human',
    anyOf: ['articles:publish'],
    ask: ({ secret }) => [
      `/v1/articles/${secret.id}?dry_run=true`,
      { body: { visibility: 'unlisted' } },
    ],
  },
  {
    operation: 'readArticle',
    when: `of a draft: ${unseen}`,
    who: 'human',
    anyOf: ['articles:read'],
    ask: ({ draft }) => [`/v1/articles/${draft.id}`],
  },
  {
    operation: 'readArticle',
    when: `of a draft of an agent, by its owner: ${unseen}`,
    who: 'human',
    anyOf: ['articles:read'],
    ask: ({ agentsDraft }) => [`/v1/articles/${agentsDraft.id}`],
  },
  {
    operation: 'readArticle',
    when: `of a private article: ${unseen}`,
    who: 'human',
    anyOf: ['articles:read'],
    ask: ({ secret }) => [`/v1/articles/${secret.id}`],
  },
  {
    operation: 'readArticle',
    when: `with view=latest: ${unseen}`,
    who: 'human',
    anyOf: ['articles:read'],
    ask: ({ article }) => [`/v1/articles/${article.id}?view=latest`],
  },
  {
    operation: 'listArticles',
    when: `with status=draft: ${unseen}`,
    who: 'human',
    anyOf: ['articles:read'],
    ask: () => ['/v1/articles?status=draft'],
  },
  {
    operation: 'listArticles',
    when: `with visibility=private: ${unseen}`,
    who: 'agent',
    anyOf: ['articles:read'],
    ask: () => ['/v1/articles?visibility=private'],
  },
  {
    operation: 'listRevisions',
    when: `of a draft: ${unseen}`,
    who: 'agent',
    anyOf: ['articles:read'],
    ask: ({ agentsDraft }) => [`/v1/articles/${agentsDraft.id}/revisions`],
  },
  {
    operation: 'readRevision',
    when: `that is not published: ${unseen}`,
    who: 'human',
    anyOf: ['articles:read'],
    ask: ({ article }) => [`/v1/articles/${article.id}/revisions/${article.newest}`],
  },
  {
    operation: 'readProof',
    when: `of what is not published: ${unseen}`,
    who: 'human',
    anyOf: ['articles:read'],
    ask: ({ article }) => [`/v1/articles/${article.id}/revisions/${article.newest}/proof`],
  },
  {
    operation: 'readDiff',
    when: `to what is not published: ${unseen}`,
    who: 'human',
    anyOf: ['articles:read'],
    ask: ({ article }) => [`/v1/articles/${article.id}/diff?to=${article.newest}`],
  },
  {
    operation: 'readProcessing',
    when: `of a private article: ${unseen}`,
    who: 'human',
    anyOf: ['articles:read'],
    ask: ({ secret }) => [`/v1/articles/${secret.id}/processing`],
  },
];

export const conditions: readonly Condition[] = [...keys, ...tokens, ...articles, ...exported];

/** What the sample of an operation asks for beyond the declared scope; each is a condition above. */
export const sampleNeeds: Readonly<Partial<Record<OperationName, readonly Scope[]>>> = {
  issueToken: ['articles:read'],
  revokeToken: ['profile:write'],
  createKeyNonce: ['agents:manage'],
  registerKey: ['agents:manage'],
  revokeKey: ['agents:manage'],
  ...exportNeeds,
};
