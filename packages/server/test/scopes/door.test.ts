// Every operation × every scope × anonymous, human, agent and moderator: who comes through the door, and who is told what.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { operationList, operations, scopes } from '@colophon/contract';
import type { AnyOperation, Scope } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { storeAgent, storeToken } from '../accounts.ts';
import { effort } from '../effort.ts';
import { dealInTurn } from '../faults/sampled.ts';
import { seed } from '../seed.ts';
import { assertProblem, startServer } from '../harness.ts';
import type { Response } from '../harness.ts';
import { assertMissingScope } from '../problem-checks.ts';
import { pathOf } from '../samples.ts';
import { bundles, carriedBy, missingOf, needOf, needs, refusalOf } from './needs.ts';
import type { Actor, Bearer } from './needs.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
after(() => process.stdout.write(`# SEED=${seed}\n`));

interface Stored extends Bearer {
  readonly token: string;
}

const actors: readonly Actor[] = ['human', 'agent', 'moderator'];

/** A moderator's token carries `admin:moderate` whatever else it carries: it implies no other scope. */
function carriedScopes(actor: Actor, bundle: readonly Scope[]): readonly Scope[] {
  if (actor !== 'moderator' || bundle.includes('admin:moderate')) return bundle;
  return [...bundle, 'admin:moderate'];
}

async function tokensOf(actor: Actor, id: string): Promise<readonly Stored[]> {
  return Promise.all(
    bundles.map(async (bundle) => {
      const held = carriedScopes(actor, bundle);
      return { actor, scopes: held, token: await storeToken(server, id, held) };
    }),
  );
}

/** Tokens with each scope alone that were revoked: their sender is not authenticated. */
async function revokedTokens(): Promise<readonly string[]> {
  const { id } = await server.register();
  const tokens = await Promise.all(scopes.map((scope) => storeToken(server, id, [scope])));
  await server.db.transaction((tx) =>
    tx.run(sql`
      update tokens set revoked_at = now()
      where bucket = ${bucketOf(id)} and principal_id = ${id}`),
  );
  return tokens;
}

const owner = await server.register();
const people: Readonly<Record<Actor, string>> = {
  human: (await server.register()).id,
  agent: (await storeAgent(server, owner)).id,
  moderator: (await server.register()).id,
};
const bearers = (await Promise.all(actors.map((actor) => tokensOf(actor, people[actor])))).flat();
const revoked = await revokedTokens();
const someRevoked = dealInTurn(revoked, 2);

/** For each operation those whose scopes decide, and some more; all in a long run. */
const lots = actors.map((actor) => {
  const own = bearers.filter((bearer) => bearer.actor === actor);
  return { actor, own, some: dealInTurn(own, 6) };
});

/**
 * The door comes before the query, so that a parameter which does not exist tells who came through, and
 * nothing is ever done.
 */
const unknown = 'no_such_thing';

function knock(operation: AnyOperation, token?: string): Promise<Response> {
  const params = Object.fromEntries(operation.params.map((name) => [name, '0'.repeat(26)]));
  const asked = token === undefined ? { key: true as const } : { key: true as const, token };
  return server.ask(operation.method, `${pathOf(operation, params)}?${unknown}=1`, asked);
}

function assertAdmitted(response: Response): void {
  assertProblem(response, 'invalid-request');
  const pointers = (response.body.errors as readonly { pointer: string }[]).map(
    ({ pointer }) => pointer,
  );
  // Beside parameters that the operation does not go without.
  assert.equal(pointers.at(-1), `/${unknown}`);
}

function assertAnswer(operation: AnyOperation, bearer: Bearer | undefined, got: Response): void {
  const refusal = refusalOf(operation, bearer);
  if (refusal === undefined) {
    assertAdmitted(got);
    return;
  }
  if (refusal !== 'insufficient-scope' || bearer === undefined) {
    assertProblem(got, refusal);
    return;
  }
  assertMissingScope(got, ...missingOf(operation, bearer));
  assert.deepEqual(got.body.held_scopes, carriedBy(bearer));
}

/** Says which combination deviates. */
function within(place: string, check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw new Error(`${place}: ${(cause as Error).message}`, { cause });
  }
}

let combinations = 0;
const tried = new Set<string>();

/** Of one actor: with the scope of the operation alone, and with all but it. */
function decisive({ own }: (typeof lots)[number], operation: AnyOperation) {
  const { access, alsoScopes = [] } = operation;
  const needed = [access, ...alsoScopes];
  return own.filter((_, at) => {
    const bundle = bundles[at] ?? assert.fail('a bundle of its own');
    const holds = needed.map((each) => bundle.some((scope) => scope === each));
    return bundle.length === 1 ? holds.includes(true) : holds.includes(false);
  });
}

async function walk(operation: AnyOperation): Promise<void> {
  for (const lot of lots) {
    const { actor } = lot;
    const own = [...new Set([...decisive(lot, operation), ...lot.some()])];
    const answers = await Promise.all(own.map(({ token }) => knock(operation, token)));
    for (const [index, bearer] of own.entries()) {
      tried.add(bearer.token);
      const place = `${actor} with ${bearer.scopes.join(' ')}`;
      within(place, () => assertAnswer(operation, bearer, answers[index] ?? assert.fail()));
    }
    combinations += own.length;
  }
  assertAnswer(operation, undefined, await knock(operation));
  const gone = someRevoked();
  for (const token of gone) tried.add(token);
  for (const answer of await Promise.all(gone.map((token) => knock(operation, token))))
    assertProblem(answer, 'unauthenticated');
  combinations += 1 + gone.length;
}

test('every operation of the contract has its row, and is declared as the row says', () => {
  assert.deepEqual(Object.keys(needs).toSorted(), Object.keys(operations).toSorted());
  for (const { name, access, alsoScopes, humansOnly } of operationList as readonly AnyOperation[]) {
    const declared = {
      access,
      ...(alsoScopes && { alsoScopes }),
      ...(humansOnly && { humansOnly }),
    };
    assert.deepEqual(declared, needOf({ name }), name);
  }
});

for (const operation of operationList) {
  const { name, access, humansOnly } = operation;
  const whom = humansOnly ? `${access}, people only` : access;
  test(`${name}: comes through with ${whom}, and with nothing else`, async () => {
    await walk(operation);
  });
}

test('no token was left out, and in a long run no combination: operations × 15 scopes × 4 actors, each scope alone and all without it', (t) => {
  assert.equal(tried.size, bearers.length + revoked.length);
  // An anonymous caller has no scopes: no token once, and a revoked token of each scope.
  const each = actors.length * scopes.length * 2 + scopes.length + 1;
  assert.equal(scopes.length, 15);
  const all = operationList.length * each;
  assert.ok(combinations >= effort(operationList.length, all) && combinations <= all);
  t.diagnostic(`${combinations} combinations over ${operationList.length} operations`);
});

test('a token of an agent never counts for agents:manage or an admin scope, whatever its row says', async () => {
  for (const { token, scopes: stored } of bearers.filter(({ actor }) => actor === 'agent')) {
    const { body } = await server.ask('GET', '/v1/me', { token });
    assert.deepEqual(body.scopes, carriedBy({ actor: 'agent', scopes: stored }));
  }
});

interface Described {
  readonly operationId: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-required-scope'?: string;
}

test('the OpenAPI document that is served says the same of every operation', async () => {
  const { body } = await server.ask('GET', '/v1/openapi.json');
  const paths = body.paths as Readonly<Record<string, Readonly<Record<string, Described>>>>;
  const described = Object.values(paths).flatMap((path) => Object.values(path));
  assert.deepEqual(
    described.map(({ operationId }) => operationId).toSorted(),
    Object.keys(needs).toSorted(),
  );
  for (const one of described) {
    const { access, alsoScopes = [], humansOnly } = needOf({ name: one.operationId });
    const scope = access === 'public' || access === 'token' ? undefined : access;
    const bearer = { bearer: scope === undefined ? [] : [scope, ...alsoScopes] };
    assert.deepEqual(one.security, access === 'public' ? [{}, bearer] : [bearer], one.operationId);
    assert.equal(one['x-required-scope'], scope, one.operationId);
    assert.equal(one.description.includes('Not for agents.'), humansOnly === true, one.operationId);
  }
});

test('docs/operations.md says the same of every operation', async () => {
  const page = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `[A-Z]+ \//.test(line));
  const said = rows.map((line) => {
    const columns = line.split(' | ');
    return [columns[1]?.replaceAll('`', '') ?? '', columns[3] ?? ''] as const;
  });
  const words = { public: 'anybody', token: 'any token' } as const;
  const expected = Object.entries(needs).map(([name, { access, alsoScopes = [] }]) => [
    name,
    access === 'public' || access === 'token'
      ? words[access]
      : [access, ...alsoScopes].map((scope) => `\`${scope}\``).join(', '),
  ]);
  assert.deepEqual(Object.fromEntries(said), Object.fromEntries(expected));
  assert.equal(said.length, expected.length);
});
