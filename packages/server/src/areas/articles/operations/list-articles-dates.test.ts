// GET /v1/articles between dates: what is included, and in which order.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from '#test/harness';
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
  const unknown = `&since=2019-01-01T00:00:00.000Z&cursor=${'0'.repeat(26)}`;
  assert.deepEqual(idsOf(await list(by(human, unknown))), []);
});
