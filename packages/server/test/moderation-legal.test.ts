// A removal for legal reasons stands above everything, whatever came before and comes after, until it is restored.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertProblem, problemName, startServer } from './harness.ts';
import type { Human, Response } from './harness.ts';
import { act, anArticle, askAct, aModerator } from './moderators.ts';
import type { Wish } from './moderators.ts';
import { report } from './reports.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const [moderator, second] = [await aModerator(server), await aModerator(server)];

interface Scene {
  readonly author: Human;
  readonly id: string;
}

type Step = (scene: Scene) => Promise<unknown>;

const target = ({ id }: Scene) => ({ target_type: 'article' as const, target_id: id });
const tried =
  (action: Wish['action']): Step =>
  (scene) =>
    askAct(server, moderator, { ...target(scene), action });

const asAuthor = (scene: Scene, method: string, path: string, body?: object): Promise<Response> =>
  server.ask(method, path, {
    token: scene.author.token,
    ...(method === 'POST' ? { key: true as const } : {}),
    ...(body === undefined ? {} : { body }),
  });

/** Every action that the author was told of is appealed against, and somebody tries to uphold it in each way. */
const appeal: Step = async (scene) => {
  const { body } = await asAuthor(scene, 'GET', '/v1/events?type=moderation.action&limit=100');
  for (const { payload } of body.items) {
    const path = `/v1/moderation/actions/${payload.action_id}/appeal`;
    await asAuthor(scene, 'POST', path, { text: 'No.' });
  }
  await askAct(server, second, { ...target(scene), action: 'restore', source: 'appeal' });
  const open = await server.ask('GET', '/v1/moderation/appeals?limit=100', { token: second.token });
  for (const { id, target_id } of open.body.items) {
    if (target_id !== scene.id) continue;
    const review = `/v1/moderation/appeals/${id}/review`;
    const asked = { token: second.token, body: { status: 'upheld' } };
    await server.ask('POST', review, asked);
  }
};

const byReport: Step = async (scene) => {
  const report_id = await report(server, { target_id: scene.id });
  await askAct(server, moderator, {
    ...target(scene),
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
  delete: (scene) => asAuthor(scene, 'DELETE', `/v1/articles/${scene.id}`),
  erase: (scene) => asAuthor(scene, 'POST', `/v1/articles/${scene.id}/erase`, { confirm: 'erase' }),
  'revise and publish': async (scene) => {
    await asAuthor(scene, 'POST', `/v1/articles/${scene.id}/publish`, {});
    await asAuthor(scene, 'PATCH', `/v1/articles/${scene.id}`, { visibility: 'public' });
  },
};

async function assertLegal(scene: Scene, when: string): Promise<void> {
  for (const token of [undefined, scene.author.token]) {
    const by = token === undefined ? {} : { token };
    for (const path of ['', '/comments']) {
      const answer = await server.ask('GET', `/v1/articles/${scene.id}${path}`, by);
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
      const { author, wish } = await anArticle(server);
      const scene = { author, id: wish.target_id };
      await first(scene);
      await act(server, moderator, { ...target(scene), action: 'remove', source: 'legal' });
      await assertLegal(scene, `${before}, legal`);
      await then(scene);
      await assertLegal(scene, `${before}, legal, ${later}`);
      await act(server, moderator, { ...target(scene), action: 'restore', source: 'legal' });
      const { status } = await server.ask('GET', `/v1/articles/${scene.id}`);
      // To delete what is removed legally is refused, to erase it is not.
      const isGone = before === 'delete' || [before, later].includes('erase');
      assert.equal(status, isGone ? 410 : 200, `${before}, legal, ${later}, restored`);
    }
  });
}

test('an appeal against it is upheld by whoever did not act, once it is restored legally', async () => {
  const { author, wish } = await anArticle(server);
  const scene = { author, id: wish.target_id };
  const legally = { ...target(scene), source: 'legal' } as const;
  const done = await act(server, moderator, { ...legally, action: 'remove' });
  const path = `/v1/moderation/actions/${done.id}/appeal`;
  const { id } = (await asAuthor(scene, 'POST', path, { text: 'No.' })).body;
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
