// A removal for legal reasons stands above everything, whatever came before and comes after, until it is restored.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertProblem, problemName, startServer } from './harness.ts';
import type { Human, Response } from './harness.ts';
import { act, anArticle, askAct, aModerator } from './moderators.ts';
import type { Input } from './moderators.ts';
import { report } from './reports.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const [moderator, second] = [await aModerator(server), await aModerator(server)];

interface Scenario {
  readonly author: Human;
  readonly id: string;
}

type Step = (scenario: Scenario) => Promise<unknown>;

const target = ({ id }: Scenario) => ({ target_type: 'article' as const, target_id: id });
const tried =
  (action: Input['action']): Step =>
  (scenario) =>
    askAct(server, moderator, { ...target(scenario), action });

const asAuthor = (
  scenario: Scenario,
  method: string,
  path: string,
  body?: object,
): Promise<Response> =>
  server.ask(method, path, {
    token: scenario.author.token,
    ...(method === 'POST' ? { key: true as const } : {}),
    ...(body === undefined ? {} : { body }),
  });

/** Every action that the author was notified of is appealed against, and somebody tries to uphold it in each way. */
const appeal: Step = async (scenario) => {
  const { body } = await asAuthor(scenario, 'GET', '/v1/events?type=moderation.action&limit=100');
  for (const { payload } of body.items) {
    const path = `/v1/moderation/actions/${payload.action_id}/appeal`;
    await asAuthor(scenario, 'POST', path, { text: 'No.' });
  }
  await askAct(server, second, { ...target(scenario), action: 'restore', source: 'appeal' });
  const open = await server.ask('GET', '/v1/moderation/appeals?limit=100', { token: second.token });
  for (const { id, target_id } of open.body.items) {
    if (target_id !== scenario.id) continue;
    const review = `/v1/moderation/appeals/${id}/review`;
    const asked = { token: second.token, body: { status: 'upheld' } };
    await server.ask('POST', review, asked);
  }
};

const byReport: Step = async (scenario) => {
  const report_id = await report(server, { target_id: scenario.id });
  await askAct(server, moderator, {
    ...target(scenario),
    action: 'restore',
    source: 'report',
    report_id,
  });
};

const steps: Readonly<Record<string, Step>> = {
  nothing: async () => undefined,
  hide: tried('hide'),
  remove: tried('remove'),
  'de-index': tried('de-index'),
  restore: tried('restore'),
  'restore for a report': byReport,
  appeal,
  delete: (scenario) => asAuthor(scenario, 'DELETE', `/v1/articles/${scenario.id}`),
  erase: (scenario) =>
    asAuthor(scenario, 'POST', `/v1/articles/${scenario.id}/erase`, { confirm: 'erase' }),
  'revise and publish': async (scenario) => {
    await asAuthor(scenario, 'POST', `/v1/articles/${scenario.id}/publish`, {});
    await asAuthor(scenario, 'PATCH', `/v1/articles/${scenario.id}`, { visibility: 'public' });
  },
};

async function assertLegal(scenario: Scenario, when: string): Promise<void> {
  for (const token of [undefined, scenario.author.token]) {
    const by = token === undefined ? {} : { token };
    for (const path of ['', '/comments']) {
      const answer = await server.ask('GET', `/v1/articles/${scenario.id}${path}`, by);
      assert.equal(problemName(answer), 'unavailable-for-legal-reasons', `${when}, ${path}`);
    }
  }
}

// Nothing afterwards is looked at before each; a restoration before is nothing.
const afterwards = Object.entries(steps).filter(([name]) => name !== 'nothing');
const earlier = Object.entries(steps).filter(([name]) => !name.startsWith('restore'));

for (const [before, first] of earlier) {
  test(`451 after ${before}, and whatever comes then, until it is restored legally`, async () => {
    for (const [later, then] of afterwards) {
      const { author, input } = await anArticle(server);
      const scenario = { author, id: input.target_id };
      await first(scenario);
      await act(server, moderator, { ...target(scenario), action: 'remove', source: 'legal' });
      await assertLegal(scenario, `${before}, legal`);
      await then(scenario);
      await assertLegal(scenario, `${before}, legal, ${later}`);
      await act(server, moderator, { ...target(scenario), action: 'restore', source: 'legal' });
      const { status } = await server.ask('GET', `/v1/articles/${scenario.id}`);
      // To delete what is removed legally is refused, to erase it is not.
      const isGone = before === 'delete' || [before, later].includes('erase');
      assert.equal(status, isGone ? 410 : 200, `${before}, legal, ${later}, restored`);
    }
  });
}

test('an appeal against it is upheld by a moderator who did not act, once it is restored legally', async () => {
  const { author, input } = await anArticle(server);
  const scenario = { author, id: input.target_id };
  const legally = { ...target(scenario), source: 'legal' } as const;
  const done = await act(server, moderator, { ...legally, action: 'remove' });
  const path = `/v1/moderation/actions/${done.id}/appeal`;
  const { id } = (await asAuthor(scenario, 'POST', path, { text: 'No.' })).body;
  const uphold = (by: Human) =>
    server.ask('POST', `/v1/moderation/appeals/${id}/review`, {
      token: by.token,
      body: { status: 'upheld' },
    });
  const early = await uphold(second);
  assertProblem(early, 'conflict');
  assert.match(early.body.detail, /source legal/);
  await act(server, second, { ...legally, action: 'restore' });
  assertProblem(await uphold(moderator), 'forbidden');
  assert.equal((await uphold(second)).body.status, 'upheld');
});
