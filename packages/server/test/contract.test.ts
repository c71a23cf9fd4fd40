// What is true of every operation of the contract, made from the contract itself: callers, paths, queries, methods.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operationList, operations, problemNames, scopes } from '@colophon/contract';
import type { AnyOperation, OperationName } from '@colophon/contract';
import { implementations } from '#app';
import { storeToken } from './accounts.ts';
import { assertProblem, startServer } from './harness.ts';
import type { Response } from './harness.ts';
import { drawSample } from './faults/sampled.ts';
import { assertMissingScope } from './problem-checks.ts';
import { addressOf, askedOf, openWorld, pathOf, samples, send } from './samples.ts';
import type { Sample } from './samples.ts';
import { fieldsOf, wrongQueries } from './schema-fields.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const world = await openWorld(server);

test('every operation of the contract is implemented once and has a sample', () => {
  const names = Object.keys(operations).toSorted();
  assert.deepEqual(operationList.map(({ name }) => name).toSorted(), names);
  assert.deepEqual(implementations.map(({ operation }) => operation.name).toSorted(), names);
  assert.deepEqual(Object.keys(samples).toSorted(), names);
});

const reused = new Map<string, Promise<Sample>>();
/** One sample of each operation for all requests that change nothing: making one takes up to ten requests. */
function reusedSample({ name }: AnyOperation): Promise<Sample> {
  const sample = reused.get(name) ?? samples[name as OperationName](world);
  reused.set(name, sample);
  return sample;
}

async function sendRefused(
  operation: AnyOperation,
  changes: Parameters<typeof send>[2],
): Promise<Response> {
  return send(world, operation, changes, await reusedSample(operation));
}

/** Outside of the API the same path has the bytes of media, or a page. */
const shownOutside = new Set([
  '/v1/articles',
  '/v1/comments/{id}',
  '/v1/media/{id}',
  '/v1/moderation/appeals',
  '/v1/moderation/appeals/{id}',
  '/v1/moderation/reports/{id}',
  '/v1/search',
  '/v1/topics',
  '/v1/topics/{slug}',
]);

for (const operation of operationList) {
  const { name, method, path } = operation;

  test(`${name}: its sample fills every member of the body`, async () => {
    const sample = await samples[name as OperationName](world);
    const members = Object.keys(
      (operation.body as { properties?: object } | undefined)?.properties ?? {},
    );
    assert.deepEqual(Object.keys(sample.body ?? {}).toSorted(), members.toSorted());
    assert.deepEqual(Object.keys(sample.params).toSorted(), operation.params.toSorted());
  });

  test(`${name}: its sample is answered with a success of the contract`, async () => {
    const answer = await send(world, operation);
    assert.ok(answer.status in operation.answers, JSON.stringify(answer.body));
    const hasBody = answer.status !== 204 && operation.contentTypes === undefined;
    assert.equal(hasBody, operation.answers[answer.status] !== null);
    assert.equal(answer.headers.get('cache-control'), 'private, no-store');
  });

  test(`${name}: 401 unauthenticated without a token, unless it is public`, async () => {
    const sample = await samples[name as OperationName](world);
    const answer = await server.ask(
      method,
      addressOf(operation, sample),
      askedOf(operation, sample),
    );
    if (operation.access === 'public') {
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return;
    }
    assertProblem(answer, 'unauthenticated');
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer realm="[^"]+"$/);
  });

  test(`${name}: 401 unauthenticated with a bad token, before anything else is looked at`, async () => {
    const anything = Object.fromEntries(operation.params.map((param) => [param, 'x']));
    const place = `${pathOf(operation, anything)}?x=1`;
    const broken = method === 'GET' ? {} : { raw: '{', headers: { 'content-type': 'nonsense' } };
    for (const token of ['bad', `${world.human.token.slice(0, -1)}U`]) {
      const refused = await server.ask(method, place, { token, ...broken });
      assertProblem(refused, 'unauthenticated');
      assert.match(refused.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
    }
  });

  if (operation.access !== 'public' && operation.access !== 'token') {
    const scope = operation.access;
    test(`${name}: 403 insufficient-scope with every scope but ${scope}`, async () => {
      const token = await storeToken(
        server,
        world.human.id,
        scopes.filter((one) => one !== scope),
      );
      const refused = await sendRefused(operation, { token });
      assertMissingScope(refused, scope);
      assert.deepEqual(
        refused.body.held_scopes,
        scopes.filter((one) => one !== scope),
      );
    });
  }

  test(`${name}: 400 invalid-request for an unknown query parameter, named in errors`, async () => {
    const refused = await sendRefused(operation, { query: '?no_such_thing=1' });
    assertProblem(refused, 'invalid-request');
    assert.deepEqual(
      refused.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/no_such_thing'],
    );
  });

  for (const { pointer, schema } of fieldsOf(operation.querySchema)) {
    test(`${name}: 400 invalid-request for values that ?${pointer.slice(1)} does not take`, async () => {
      const wrong = wrongQueries(pointer.slice(1), schema);
      for (const query of drawSample(wrong, 2, name + pointer)) {
        assertProblem(await sendRefused(operation, { query: `?${query}` }), 'invalid-request');
      }
    });
  }

  if (operation.idempotency === 'required') {
    test(`${name}: 400 invalid-request without an Idempotency-Key`, async () => {
      const sample = await reusedSample(operation);
      const { key: _, ...asked } = askedOf(operation, sample, world.human.token);
      assertProblem(
        await server.ask(method, pathOf(operation, sample.params), asked),
        'invalid-request',
      );
    });
  }

  if (operation.dryRun) {
    test(`${name}: 200 with dry_run`, async () => {
      const { status, body, headers } = await send(world, operation, { query: '?dry_run=true' });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.dry_run, true);
      assert.equal(headers.get('location'), null);
    });
  }

  for (const param of operation.params) {
    test(`${name}: 404 not-found for a malformed ${param}`, async () => {
      const sample = await reusedSample(operation);
      const asked = askedOf(operation, sample, world.human.token);
      const wrong = [
        'x',
        '0'.repeat(26),
        `${'0'.repeat(25)}I`,
        // Case counts in ids; names have one spelling for all.
        ...(param.endsWith('id') ? [sample.params[param]?.toLowerCase() ?? ''] : []),
        '..%2f..',
        '%00',
        '%F0%9F%A6%89',
        'x'.repeat(400),
      ];
      for (const id of drawSample(wrong, 2, name + param)) {
        assertProblem(
          await server.ask(method, pathOf(operation, { ...sample.params, [param]: id }), asked),
          'not-found',
        );
      }
    });
  }

  test(`${name}: the request’s id is kept when it is valid, else replaced`, async () => {
    const idOf = async (sent: string) =>
      (
        await sendRefused(operation, { query: '?x=1', headers: { 'x-request-id': sent } })
      ).headers.get('x-request-id');
    for (const sound of drawSample(['12345678', 'a.b_c~d-E9', 'x'.repeat(64)], 1, name))
      assert.equal(await idOf(sound), sound);
    const wrong = [
      '1234567',
      'x'.repeat(65),
      'has blank',
      'sla/sh-sla/sh',
      'schlüssel',
      '<script>',
      '"quoted"',
    ];
    for (const unsound of drawSample(wrong, 2, name)) assert.notEqual(await idOf(unsound), unsound);
  });

  test(`${name}: 404 not-found for ${path}/ and for another case`, async () => {
    const sample = await reusedSample(operation);
    const asked = askedOf(operation, sample, world.human.token);
    const place = pathOf(operation, sample.params);
    for (const other of [
      `${place}/`,
      place.replace('/v1/', '/V1/'),
      place.replace('/v1/', '/v1//'),
      ...(shownOutside.has(path) ? [] : [place.replace('/v1', '')]),
    ]) {
      for (const one of [asked, {}]) {
        const refused = await server.ask(method, other, one);
        assertProblem(refused, 'not-found');
        assert.equal(refused.headers.get('allow'), null);
      }
    }
  });

  if (method === 'GET') {
    test(`${name}: HEAD answers what GET answers, without a body`, async () => {
      const sample = await reusedSample(operation);
      const { get, head, unchanged } = await readUnchanged(addressOf(operation, sample));
      assert.equal(unchanged !== null, operation.cacheable ?? operation.contentTypes !== undefined);
      assert.equal(head.status, get.status);
      assert.equal(head.body, '');
      for (const header of ['etag', 'cache-control', 'content-type', 'link'])
        assert.equal(head.headers.get(header), get.headers.get(header), header);
      // RFC 9110 section 8.6: the length of the GET or none; here the GET is compressed.
      if (get.headers.get('content-encoding') !== null)
        assert.equal(head.headers.get('content-length'), null);
      if (unchanged === null) return;
      assert.equal(unchanged.status, 304);
      assert.equal(unchanged.headers.get('etag'), get.headers.get('etag'));
      // RFC 9110 section 15.4.5: the length of the 200 or none, never that of the empty message.
      assert.equal(unchanged.headers.get('content-length'), null);
    });
  }
}

/**
 * Sends GET, HEAD and, where there is an entity tag, a conditional HEAD. The pipeline may change the resource
 * between them (a count, the entry of the log in a proof): they are sent again until the tag is the same after
 * them as before.
 */
async function readUnchanged(
  place: string,
): Promise<{ get: Response; head: Response; unchanged: Response | null }> {
  const asked = { token: world.human.token };
  for (let tries = 1; ; tries += 1) {
    const get = await server.ask('GET', place, asked);
    const head = await server.ask('HEAD', place, asked);
    const tag = get.headers.get('etag');
    if (tag === null) return { get, head, unchanged: null };
    const conditional = { ...asked, headers: { 'if-none-match': tag } };
    const unchanged = await server.ask('HEAD', place, conditional);
    const last = await server.ask('GET', place, asked);
    if (last.headers.get('etag') === tag) return { get, head, unchanged };
    assert.ok(tries < 50, `${place} has another entity tag each time`);
  }
}

/** A path may be that of another operation too: `nonce` stands where an id could. */
function methodsOf(path: string): readonly string[] {
  const matching = operationList.filter((operation) =>
    new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return [...new Set(matching.map(({ method }) => method))];
}

for (const path of new Set(operationList.map((operation) => operation.path))) {
  const methods = methodsOf(path);
  test(`${path}: 404 not-found with Allow for methods other than ${methods.join()}`, async () => {
    const allowed = [
      ...methods,
      'OPTIONS',
      ...(methods.includes('GET') ? ['HEAD'] : []),
    ].toSorted();
    const place = path.replaceAll(/\{\w+\}/g, '0'.repeat(26));
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
      (one) => !methods.includes(one),
    )) {
      for (const asked of [{}, { token: world.human.token, raw: '{' }]) {
        const refused = await server.ask(method, place, method === 'GET' ? {} : asked);
        assertProblem(refused, 'not-found');
        assert.deepEqual((refused.headers.get('allow') ?? '').split(', ').toSorted(), allowed);
        assert.ok(
          methods.every((one) => refused.body.detail.includes(one)),
          refused.body.detail,
        );
      }
    }
  });
}

test('every problem of the contract is declared by an operation, or comes later', () => {
  const declared = new Set(operationList.flatMap(({ allProblems }) => allProblems));
  assert.deepEqual(
    problemNames.filter((name) => !declared.has(name)),
    [],
  );
});
