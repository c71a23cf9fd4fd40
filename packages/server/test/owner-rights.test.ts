// What the accountable owner of an agent may do to what is the agent's, and what no one else may: the table is tried.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertProblem, problemName, startServer } from './harness.ts';
import type { Response } from './harness.ts';
import { createScenario as createScenarioOn, table } from './owners-over-agents.ts';
import type { Cast, Row } from './owners-over-agents.ts';

// Nothing here depends on the pipeline.
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const createScenario = () => createScenarioOn(server);
let unchanged: ReturnType<typeof createScenario> | undefined;

/** A scenario of its own for what has an effect; what is read or refused leaves the same one as it was. */
async function scenarioFor(row: Row, who: keyof Cast): ReturnType<typeof createScenario> {
  unchanged ??= createScenario();
  const [method] = row.act((await unchanged).scenario);
  return method === 'GET' || typeof expectedAnswer(row, who) === 'string'
    ? unchanged
    : createScenario();
}

function expectedAnswer(row: Row, who: keyof Cast): number | string {
  if (who === 'agent') return row.agent;
  if (who === 'owner') return row.owner;
  // Every person may have agents of their own.
  return row.act === table['create an agent']?.act && who === 'stranger' ? 201 : row.others;
}

function outcome(response: Response): number | string {
  return response.status < 300 ? response.status : problemName(response);
}

for (const [what, row] of Object.entries(table)) {
  for (const who of ['agent', 'owner', 'sibling', 'stranger', 'stranger’s agent'] as const) {
    test(`${expectedAnswer(row, who)}: to ${what}, asked by the ${who}`, async () => {
      const { scenario, cast } = await scenarioFor(row, who);
      const [method, path, asked] = row.act(scenario);
      const response = await server.ask(method, path, { ...asked, token: cast[who].token });
      assert.equal(outcome(response), expectedAnswer(row, who), JSON.stringify(response.body));
    });
  }
}

test('200 with the drafts of an agent by its name, for its owner and no one else', async () => {
  const { scenario, cast } = await createScenario();
  const seen = async (token: string) => {
    const query = `?status=draft&author=${scenario.agent.username}`;
    const list = await server.ask('GET', `/v1/articles${query}`, { token });
    return (list.body.items as readonly { id: string }[]).map(({ id }) => id);
  };
  assert.deepEqual(await seen(cast.agent.token), [scenario.draft.id]);
  assert.deepEqual(await seen(cast.owner.token), [scenario.draft.id]);
  assert.deepEqual(await seen(cast.sibling.token), []);
  assert.deepEqual(await seen(cast.stranger.token), []);
});

test('the owner needs the scope of each right', async () => {
  const { scenario, cast } = await createScenario();
  const { owner } = cast;
  const rights: readonly (readonly [string, string])[] = [
    ['edit the profile', 'profile:write'],
    ['issue a token', 'agents:manage'],
    ['list the tokens', 'agents:read'],
    ['ask for the nonce of a signing key', 'agents:manage'],
    ['read what is left of the allowances', 'agents:read'],
    ['read the events', 'agents:read'],
    ['revoke a token', 'agents:manage'],
    ['read a draft', 'articles:read'],
    ['delete an article', 'articles:delete'],
    ['delete a comment', 'comments:write'],
    ['erase a draft', 'articles:delete'],
  ];
  const me = await server.ask('GET', '/v1/me', { token: owner.token });
  const held = me.body.scopes as readonly string[];
  for (const [what, scope] of rights) {
    const token = await server.tokenWith(
      owner,
      held.filter((one) => one !== scope),
    );
    const [method, path, asked] = table[what]?.act(scenario) ?? assert.fail(what);
    const refused = await server.ask(method, path, { ...asked, token });
    assertProblem(refused, 'insufficient-scope');
    assert.deepEqual(refused.body.required_scopes, [scope], what);
  }
});
