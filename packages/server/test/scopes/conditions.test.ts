// Inside the door: the declared scope is enough for every operation, and where what is asked for needs more, just that opens it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operationList, operations, scopes } from '@colophon/contract';
import type { OperationName, Scope } from '@colophon/contract';
import { storeToken } from '../accounts.ts';
import { problemName, startServer } from '../harness.ts';
import { assertMissingScope } from '../problem-checks.ts';
import { addressOf, askedOf, openWorld, samples } from '../samples.ts';
import type { Sample } from '../samples.ts';
import { conditions, sampleNeeds, createScenario } from './conditions.ts';
import type { Condition } from './condition.ts';
import { carriedBy, missingOf } from './needs.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const world = await openWorld(server);
const scenario = await createScenario(server);
let combinations = 0;

function declaredScopes(name: string): readonly Scope[] {
  return missingOf({ name }, { actor: 'human', scopes: [] });
}

/** Whose token the sample needs. */
async function senderOf({ token }: Sample): Promise<string> {
  if (token === undefined) return world.human.id;
  return (await server.ask('GET', '/v1/me', { token })).body.principal.id as string;
}

for (const operation of operationList) {
  const { name } = operation;
  const beyond = sampleNeeds[name as OperationName] ?? [];
  const enough = [...declaredScopes(name), ...beyond];
  test(`${name}: a success with no scope but ${enough.join(', ') || 'none'}`, async () => {
    const sample = await samples[name as OperationName](world);
    const token = await storeToken(server, await senderOf(sample), enough);
    const asked = askedOf(operation, sample);
    const path = addressOf(operation, sample);
    const answer = await server.ask(operation.method, path, { ...asked, token });
    assert.ok(answer.status in operation.answers, JSON.stringify(answer.body));
    for (const scope of beyond) {
      const known = conditions.some((one) => one.operation === name && one.anyOf.includes(scope));
      assert.ok(known, `${scope} is not a condition of ${name}`);
    }
  });
}

async function tryCondition(condition: Condition, extra: Scope): Promise<void> {
  const { operation, who, anyOf, ask } = condition;
  const carried = [...new Set([...declaredScopes(operation), extra])];
  const token = await storeToken(server, scenario[who].id, carried);
  const [path, asked] = ask(scenario);
  const answer = await server.ask(operations[operation].method, path, { ...asked, token });
  const held = carriedBy({ actor: who, scopes: carried });
  combinations += 1;
  if (!anyOf.some((scope) => held.includes(scope))) {
    assertMissingScope(answer, anyOf[0]);
    assert.deepEqual(answer.body.held_scopes, held);
    return;
  }
  // A proof that proves nothing is refused as that, after the scope.
  const past = operation === 'registerKey' ? 'validation-failed' : 'undefined';
  assert.equal(problemName(answer), past, `${extra}: ${JSON.stringify(answer.body)}`);
}

for (const condition of conditions) {
  const { operation, when, who, anyOf } = condition;
  test(`${operation} ${when} (${who}): ${anyOf.join(' or ')}, and no other scope`, async () => {
    for (const scope of scopes) await tryCondition(condition, scope);
  });
}

test('every condition was tried with each of the fifteen scopes', (t) => {
  assert.equal(combinations, conditions.length * scopes.length);
  t.diagnostic(`${combinations} combinations over ${conditions.length} conditions`);
});
