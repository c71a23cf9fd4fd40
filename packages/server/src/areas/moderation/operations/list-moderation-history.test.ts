// GET /v1/moderation/history: actions and changes of reports, in one list.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { assertProblem, startServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

const history = (type: string, id: string, query = '') =>
  server.ask('GET', `/v1/moderation/history/${type}/${id}${query}`, { token: moderator.token });

async function report(type: string, id: string): Promise<string> {
  const body = { target_type: type, target_id: id, category: 'spam', details: 'Look.' };
  return (await server.ask('POST', '/v1/reports', { body })).body.id as string;
}

test('200 with actions and changes of reports, newest first', async () => {
  const { id } = await server.published(await server.register());
  const report_id = await report('article', id);
  const target = { target_type: 'article' as const, target_id: id };
  const hidden = await act(server, moderator, { ...target, action: 'hide', report_id });
  const restored = await act(server, moderator, { ...target, action: 'restore' });
  const { status, body } = await history('article', id);
  assert.equal(status, 200);
  const said = body.items.map(
    (item: { action: { action: string } | null; report: { to: string } }) =>
      item.action === null ? item.report.to : item.action.action,
  );
  assert.deepEqual(said.toSorted(), ['actioned', 'hide', 'open', 'restore']);
  assert.equal(said[0], 'restore');
  assert.equal(said.at(-1), 'open');
  const ids = body.items.map((item: { id: string }) => item.id);
  assert.deepEqual(ids, ids.toSorted().toReversed());
  const first = body.items.find((item: { id: string }) => item.id === hidden.id);
  assert.deepEqual(first.action, {
    ...hidden,
    lifted_at: restored.created_at,
    lifted_by_id: restored.id,
  });
  const change = body.items.find(
    (item: { report: { to: string } | null }) => item.report?.to === 'actioned',
  );
  assert.deepEqual(change.report, {
    report_id,
    from: 'open',
    to: 'actioned',
    moderator_id: moderator.id,
    resolution: null,
    action_id: hidden.id,
  });
});

test('200 page by page, nothing twice and nothing left out', async () => {
  const { id } = await server.register();
  const target = { target_type: 'principal' as const, target_id: id };
  for (let count = 0; count < 5; count += 1) {
    await report('principal', id);
    await act(server, moderator, { ...target, action: 'warn' });
  }
  const whole = (await history('principal', id, '?limit=100')).body.items;
  const paged: { readonly id: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await history('principal', id, `?limit=3${cursor && `&cursor=${cursor}`}`);
    paged.push(...page.body.items);
    cursor = page.body.next_cursor as string | null;
  }
  assert.equal(whole.length, 10);
  assert.deepEqual(paged, whole);
});

test('200 with nothing for a target without actions, and with reports on one that does not exist', async () => {
  const { id } = await server.register();
  assert.deepEqual((await history('principal', id)).body, { items: [], next_cursor: null });
  const nowhere = newId(9);
  await report('comment', nowhere);
  assert.equal((await history('comment', nowhere)).body.items.length, 1);
});

test('404 not-found for what is not there, and for another kind', async () => {
  const { id } = await server.register();
  assertProblem(await history('article', newId(9)), 'not-found');
  assertProblem(await history('article', id), 'not-found');
  assertProblem(await history('person', id), 'not-found');
});
