// A leaked token issues more on two processes while it is revoked with all that it issued: nothing of the tree survives.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { cloneDatabase } from '../database.ts';
import type { TestDatabase } from '../database.ts';
import { effort } from '../effort.ts';
import { until } from '../throw-away-database.ts';
import { makePlace } from './server-process.ts';
import type { Place } from './server-process.ts';
import { post, startTwo } from './two-servers.ts';

const rounds = effort(8, 40);
const thievesPerProcess = 4;

interface Token {
  readonly id: string;
  readonly token: string;
}

let place: Place;
let database: TestDatabase;
let client: pg.Client;
let bases: readonly string[];
let owner: Token;
let agentId: string;

before(async () => {
  place = await makePlace();
  database = await cloneDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  bases = await startTwo(place, database);
  owner = await tokenOf(
    await post(`${bases[0]}/v1/humans`, undefined, { username: 'robbed-owner' }),
  );
  const agent = await post(`${bases[0]}/v1/agents`, owner.token, { username: 'robbed-agent' });
  agentId = ((await agent.json()) as { principal_id: string }).principal_id;
  // As many as it takes: the race is tried, not the allowance.
  await client.query(
    `insert into quota_uses (bucket, principal_id, action, window_start, used, allowed)
     select bucket, id, 'tokens.create', date_trunc('day', now() at time zone 'utc') at time zone 'utc' + n * interval '1 day', 0, 1000000
     from principals, generate_series(0, 1) as n where kind = 'human'`,
  );
});

after(async () => {
  await client.end();
  await place[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function tokenOf(response: Response): Promise<Token> {
  assert.equal(response.status, 201);
  return (await response.json()) as Token;
}

/** Each issues from any token of the tree that it knows, until it knows none that works. */
function startThieves(root: Token) {
  const known = [root];
  const state = { issued: 0, refused: 0 };
  const work = async (at: number, number: number) => {
    for (let turn = number; known.length > 0; turn += 1) {
      const by = known[(turn * 7) % known.length] ?? assert.fail();
      const body = { principal_id: turn % 3 === 0 ? agentId : owner.id, name: 'stolen' };
      const response = await post(`${bases[at]}/v1/tokens`, by.token, body);
      const answer = (await response.json()) as Token & { readonly detail: string };
      if (response.status === 201) {
        state.issued += 1;
        known.push(answer);
      } else if (response.status === 401) {
        state.refused += 1;
        const where = known.indexOf(by);
        if (where >= 0) known.splice(where, 1);
      } else {
        // An agent's token issues for the agent alone.
        assert.equal(response.status, 403, JSON.stringify(answer));
      }
    }
  };
  const finished = Promise.all(
    bases.flatMap((_, at) =>
      Array.from({ length: thievesPerProcess }, (__, number) => work(at, number)),
    ),
  );
  return { state, finished };
}

async function countTree(root: string): Promise<{ all: number; valid: number }> {
  const { rows } = await client.query<{ all: number; valid: number }>(
    `with recursive tree as (
       select bucket, id, revoked_at from tokens where id = $1
       union all
       select t.bucket, t.id, t.revoked_at from tokens t join tree on t.bucket = tree.bucket and t.issuer_token_id = tree.id
     )
     select count(*)::integer as all, (count(*) filter (where revoked_at is null))::integer as valid from tree`,
    [root],
  );
  return rows[0] ?? assert.fail();
}

/** One tree that grows on both processes, ended in the middle of it by its owner or by itself. */
async function revokeTree(round: number): Promise<{ tokens: number; refused: number }> {
  const root = await tokenOf(
    await post(`${bases[0]}/v1/tokens`, owner.token, { principal_id: owner.id, name: 'leaked' }),
  );
  const { state, finished } = startThieves(root);
  await until('the tree grows', () => state.issued >= 4 + (round % 9));
  const by = round % 4 < 3 ? owner.token : root.token;
  const answer = await fetch(`${bases[round % 2]}/v1/tokens/${root.id}?with_issued=true`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${by}` },
  });
  assert.equal(answer.status, 204);
  const then = await countTree(root.id);
  assert.equal(then.valid, 0, 'nothing of the tree is valid once the revocation was answered');
  await finished;
  const now = await countTree(root.id);
  assert.deepEqual(now, then, 'nothing was issued from the tree after it');
  assert.equal(now.all, state.issued + 1, 'what was answered 201 is in the tree');
  return { tokens: now.all, refused: state.refused };
}

test(
  'every token that was issued from a leaked one ends with it, or is refused',
  { timeout: 900_000 },
  async (t) => {
    let tokens = 0;
    for (let round = 0; round < rounds; round += 1) tokens += (await revokeTree(round)).tokens;
    assert.ok(tokens >= rounds * 5, `${tokens} tokens in all`);
    const { rows } = await client.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    t.diagnostic(`${rounds} trees, ${tokens} tokens, ${rows[0]?.deadlocks} deadlocks`);
    const owned = await fetch(`${bases[1]}/v1/me`, {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    assert.equal(owned.status, 200, 'the owner’s own token stays');
  },
);
