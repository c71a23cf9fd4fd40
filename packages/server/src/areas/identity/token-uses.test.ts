// Storing the last uses of tokens from two processes at once: neither waits for the other in a circle.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { untilWaiting } from '#test/blocked-by-lock';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { setSessionsUsed, setTokensUsed } from './index.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

async function credentialOf({ token }: Human): Promise<{ token: string; session: string }> {
  const { id } = (await server.ask('GET', '/v1/me', { token })).body.token;
  const { url } = (await server.ask('POST', '/v1/web-links', { token, body: {} })).body;
  const secret = new URL(url).hash.slice(1);
  const headers = { origin: server.baseUrl, 'sec-fetch-site': 'same-origin' };
  await server.ask('POST', '/-/link', { headers, body: { secret } });
  const row = await server.db.first(sql<{ id: string }>`
    select id from sessions where bucket = ${bucketOf(id)} and token_id = ${id}`);
  return { token: id, session: row?.id ?? assert.fail() };
}

const kinds = {
  token: { table: sql`tokens`, write: setTokensUsed, text: 'update%tokens%set' },
  session: { table: sql`sessions`, write: setSessionsUsed, text: 'update%sessions%set' },
} as const;

for (const [kind, { table, write, text }] of Object.entries(kinds)) {
  test(`two writes of the same last uses of each ${kind} run once each, whatever their order`, async () => {
    const people = await Promise.all([1, 2, 3].map(() => server.register()));
    const credentials = await Promise.all(people.map(credentialOf));
    const ids = credentials.map((one) => one[kind as 'token' | 'session']).toSorted();
    const [, middle = ''] = ids;
    const at = new Date(Date.now() + 60_000);
    let runs = 0;
    const store = (order: readonly string[]) =>
      server.db.transaction((tx) => {
        runs += 1;
        return write(tx, new Map(order.map((id) => [id, { at, address: '127.0.0.1' }])));
      });
    const stored = await server.db.transaction(async (tx) => {
      await tx.run(sql`
        select id from ${table} where bucket = ${bucketOf(middle)} and id = ${middle} for update`);
      const both = [store(ids), store(ids.toReversed())];
      await untilWaiting(server, 2, text);
      return { both };
    });
    await Promise.all(stored.both);
    assert.equal(runs, 2);
  });
}
