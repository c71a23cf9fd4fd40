// GET /v1/articles between dates: which articles are included, and in which order.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (query: string): Promise<Response> => server.ask('GET', `/v1/articles${query}`);
const idsOf = (answer: Response): string[] => answer.body.items.map(({ id }: { id: string }) => id);
const by = (human: Human, more = '') => `?author=${human.username}${more}`;

test('200 filtered by date of publication: since is included, until is not', async () => {
  const human = await server.register();
  const dates = [
    '2001-01-01T00:00:00.000Z',
    '2002-01-01T00:00:00.000Z',
    '2003-01-01T00:00:00.000Z',
  ] as const;
  const made: string[] = [];
  for (const published_at of dates) {
    const { id } = await server.draft(human);
    await server.ask('POST', `/v1/articles/${id}/publish`, {
      token: human.token,
      key: true,
      body: { published_at },
    });
    made.push(id);
  }
  assert.deepEqual(idsOf(await list(by(human, `&since=${dates[1]}`))), [made[2], made[1]]);
  assert.deepEqual(idsOf(await list(by(human, `&until=${dates[1]}`))), [made[0]]);
  assert.deepEqual(idsOf(await list(by(human, `&since=${dates[1]}&until=${dates[2]}`))), [made[1]]);
});

test('200 between dates in the order of publication, page by page, equal dates by id', async () => {
  const human = await server.register();
  const dates = ['2019-05-01', '2021-05-01', '2020-05-01', '2021-05-01', '2018-05-01'];
  const made: string[] = [];
  for (const date of dates) {
    const { id } = await server.draft(human);
    const body = { published_at: `${date}T00:00:00.000Z` };
    await server.ask('POST', `/v1/articles/${id}/publish`, { token: human.token, key: true, body });
    made.push(id);
  }
  const wanted = [3, 1, 2, 0].map((index) => made[index] ?? '');
  for (const limit of [1, 2, 3, 100]) {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const query = `&since=2019-01-01T00:00:00.000Z&limit=${limit}${cursor && `&cursor=${cursor}`}`;
      const answer = await list(by(human, query));
      seen.push(...idsOf(answer));
      if (answer.body.next_cursor === null) break;
      cursor = answer.body.next_cursor;
    }
    assert.deepEqual(seen, wanted, `limit ${limit}`);
  }
});

test('400 invalid-request: a cursor that is an id, the same words whether or not such an article exists', async () => {
  const human = await server.register();
  const { id: open } = await server.published(human);
  const { id: draft } = await server.draft(human);
  const { id: hidden } = await server.published(human, { visibility: 'private' });
  const refused = await Promise.all(
    [open, draft, hidden, newId(7), '0'.repeat(26)].map((id) =>
      list(by(human, `&since=2019-01-01T00:00:00.000Z&cursor=${id}`)),
    ),
  );
  for (const answer of refused) assertProblem(answer, 'invalid-request');
  assert.equal(new Set(refused.map(({ body }) => body.detail)).size, 1);
});

test('400 invalid-request: a dated cursor in the list by id', async () => {
  const human = await server.register();
  for (let n = 0; n < 2; n += 1) await server.published(human);
  const { body } = await list(by(human, '&since=2019-01-01T00:00:00.000Z&limit=1'));
  assertProblem(await list(by(human, `&cursor=${body.next_cursor}`)), 'invalid-request');
});

test('200 goes on behind an article that was withdrawn or deleted between two pages', async () => {
  const human = await server.register();
  const made: string[] = [];
  for (let n = 0; n < 4; n += 1) made.unshift((await server.published(human)).id);
  const dated = '&until=2100-01-01T00:00:00.000Z&limit=1';
  let cursor = (await list(by(human, dated))).body.next_cursor;
  const { token } = human;
  await server.ask('PATCH', `/v1/articles/${made[0]}`, { token, body: { visibility: 'private' } });
  const second = await list(by(human, `${dated}&cursor=${cursor}`));
  assert.deepEqual(idsOf(second), [made[1]]);
  cursor = second.body.next_cursor;
  await server.ask('DELETE', `/v1/articles/${made[1]}`, { token });
  assert.deepEqual(idsOf(await list(by(human, `${dated}&cursor=${cursor}`))), [made[2]]);
});
