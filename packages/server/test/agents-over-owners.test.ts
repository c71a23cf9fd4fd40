// What an agent may do to what is its owner's: nothing.
import { after, test } from 'node:test';
import { createAgent } from './agents.ts';
import { assertProblem, startServer } from './harness.ts';
import type { Asked } from './harness.ts';

// Nothing here depends on the pipeline.
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

test('an agent has no rights over its owner', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const ask = (method: string, path: string, asked: Asked = {}) =>
    server.ask(method, path, { ...asked, token: agent.token });
  const draft = await server.draft(owner);
  const article = await server.published(owner);
  const me = await server.ask('GET', '/v1/me', { token: owner.token });
  const issue = { key: true as const, body: { principal_id: owner.id, name: 'up' } };
  const refused = [
    [await ask('PATCH', `/v1/principals/${owner.id}`, { body: {} }), 'forbidden'],
    [await ask('POST', '/v1/tokens', issue), 'forbidden'],
    [await ask('GET', `/v1/tokens?principal_id=${owner.id}`), 'forbidden'],
    [await ask('DELETE', `/v1/tokens/${me.body.token.id as string}`), 'not-found'],
    [await ask('GET', `/v1/articles/${draft.id as string}`), 'not-found'],
    [await ask('DELETE', `/v1/articles/${article.id as string}`), 'forbidden'],
  ] as const;
  for (const [response, problem] of refused) assertProblem(response, problem);
});
