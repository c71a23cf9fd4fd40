// The order of checks: a request that is wrong in every way gets the first problem, and corrected step by step the next one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operationList, scopes } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import { storeAgent, storeToken } from '../accounts.ts';
import { assertProblem, startServer } from '../harness.ts';
import type { Asked, Response } from '../harness.ts';
import { pathOf } from '../samples.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const human = await server.register();
const people = { human: human.id, agent: (await storeAgent(server, human)).id } as const;
type Actor = keyof typeof people;

const all = {
  human: await storeToken(server, people.human, scopes),
  agent: await storeToken(server, people.agent, scopes),
};

/** Tokens with every scope but one, by actor and the scope that they lack. */
const lacking = new Map<string, string>();
for (const actor of ['human', 'agent'] as const) {
  for (const scope of scopes) {
    const others = scopes.filter((one) => one !== scope);
    lacking.set(`${actor} ${scope}`, await storeToken(server, people[actor], others));
  }
}

interface Wrong {
  readonly token?: string;
  /** No Idempotency-Key, or a malformed one, and a query parameter that does not exist. */
  readonly headers?: boolean;
  /** A part of a body, with an encoding. */
  readonly encoded?: boolean;
  /** Broken JSON, or a member that does not exist. */
  readonly body?: 'grammar' | 'schema';
}

const encoded = { 'content-encoding': 'gzip', 'content-range': 'bytes 0-0/2' };

/** A request about things that do not exist, wrong in these ways. */
function ask(operation: AnyOperation, wrong: Wrong): Promise<Response> {
  const params = Object.fromEntries(operation.params.map((name) => [name, '0'.repeat(26)]));
  const path = pathOf(operation, params) + (wrong.headers === true ? '?no_such_thing=1' : '');
  const texts = { grammar: '{', schema: '{"no_such_thing":1}' };
  const asked: Asked = {
    key: wrong.headers === true ? 'short' : true,
    ...(wrong.encoded === true ? { headers: encoded } : {}),
    ...(wrong.token === undefined ? {} : { token: wrong.token }),
    ...(operation.body && wrong.body !== undefined ? { raw: texts[wrong.body] } : {}),
  };
  return server.ask(operation.method, path, asked);
}

const everything = { headers: true, encoded: true, body: 'grammar' } as const;

async function refusedAtTheDoor(operation: AnyOperation): Promise<void> {
  const { access, humansOnly } = operation;
  assertProblem(await ask(operation, { ...everything, token: 'bad' }), 'unauthenticated');
  if (access === 'public') return;
  assertProblem(await ask(operation, everything), 'unauthenticated');
  if (access === 'token') return;
  for (const actor of ['human', 'agent'] as const) {
    const token = lacking.get(`${actor} ${access}`) ?? assert.fail();
    assertProblem(await ask(operation, { ...everything, token }), 'insufficient-scope');
  }
  if (humansOnly === true && !neverAgents(operation))
    assertProblem(await ask(operation, { ...everything, token: all.agent }), 'forbidden');
}

/** No token of an agent counts for it, whatever its row says. */
function neverAgents({ access }: AnyOperation): boolean {
  return /^(?:agents:manage|admin:.*)$/.test(access);
}

async function refusedAfterwards(operation: AnyOperation, actor: Actor): Promise<void> {
  const token = all[actor];
  assertProblem(await ask(operation, { ...everything, token }), 'invalid-request');
  assertProblem(await ask(operation, { ...everything, token, encoded: false }), 'invalid-request');
  assertProblem(await ask(operation, { token, encoded: true }), 'invalid-request');
  if (operation.upload !== undefined) return;
  if (operation.body) {
    assertProblem(await ask(operation, { token, body: 'grammar' }), 'invalid-request');
    assertProblem(await ask(operation, { token, body: 'schema' }), 'validation-failed');
  } else if (operation.params.includes('id')) {
    assertProblem(await ask(operation, { token }), 'not-found');
  }
}

for (const operation of operationList) {
  test(`${operation.name}: 401, 403 for the scope, 403 for agents, 400, 422, 404, in this order`, async () => {
    await refusedAtTheDoor(operation);
    await refusedAfterwards(operation, 'human');
    const isBarred = operation.humansOnly === true || neverAgents(operation);
    if (!isBarred) await refusedAfterwards(operation, 'agent');
  });
}
