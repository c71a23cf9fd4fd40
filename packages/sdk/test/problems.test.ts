// Problems as errors: their members, and what the client makes of answers that are not problems.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, isProblem, ProblemError } from '@colophon/sdk';
import { json, refuse, startScript, text } from './scripted-server.ts';
import type { Turn } from './scripted-server.ts';

const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';

async function failure(turn: Turn): Promise<ProblemError> {
  await using server = await startScript(turn);
  const client = createClient({ baseUrl: server.baseUrl, retry: { attempts: 1 } });
  const error: unknown = await client
    .createRevision({ id, title: 'T' })
    .catch((caught: unknown) => caught);
  assert.ok(isProblem(error));
  return error;
}

test('a problem carries all its members', async () => {
  const errors = [{ pointer: '/title', code: 'too-long', detail: 'has 301 characters' }];
  const error = await failure(refuse('validation-failed', { errors, more: 1 }));
  assert.ok(error instanceof ProblemError && error instanceof Error);
  assert.equal(error.name, 'ProblemError');
  assert.equal(error.message, 'createRevision: validation-failed: It is validation-failed.');
  assert.equal(error.operation, 'createRevision');
  assert.equal(error.source, 'service');
  assert.equal(error.retryable, false);
  assert.deepEqual(error.problem, {
    name: 'validation-failed',
    type: 'https://example.org/errors/validation-failed',
    title: 'The body is well-formed but invalid',
    status: 422,
    detail: 'It is validation-failed.',
    request_id: 'request-1',
    errors,
    more: 1,
  });
});

test('the current revision is at hand', async () => {
  const error = await failure(
    refuse('precondition-failed', { current_revision_id: id }, { etag: `"${id}"` }),
  );
  assert.ok(isProblem(error, 'precondition-failed'));
  assert.ok(!isProblem(error, 'conflict'));
  assert.equal(error.problem.current_revision_id, id);
  assert.equal(error.headers?.get('etag'), `"${id}"`);
});

test('the type says which problem it is, whatever the status', async () => {
  const type = 'https://elsewhere.example/deep/errors/idempotency-in-progress';
  const turn = json(
    418,
    { type, title: 'x', status: 200 },
    { 'content-type': 'application/problem+json; charset=utf-8' },
  );
  const error = await failure(turn);
  assert.equal(error.problem.name, 'idempotency-in-progress');
  assert.equal(error.problem.status, 418);
  assert.equal(error.retryable, true);
});

test('a type of a later version is taken for the nearest', async () => {
  const names = [];
  for (const status of [404, 418, 507]) {
    const turn = json(
      status,
      { type: 'https://example.org/errors/novel' },
      { 'content-type': 'application/problem+json' },
    );
    names.push((await failure(turn)).problem.name);
  }
  assert.deepEqual(names, ['not-found', 'invalid-request', 'internal-error']);
});

test('an answer that is not a problem document names its status and its beginning', async () => {
  const cases = [
    [text(502, '<html>Bad gateway</html>'), 'unavailable', true],
    [text(504, ''), 'unavailable', true],
    [text(429, 'slow down'), 'unavailable', true],
    [text(500, 'oops'), 'internal-error', true],
    [text(404, 'no such host'), 'internal-error', false],
    [text(400, '[]', 'application/problem+json'), 'internal-error', false],
  ] as const;
  for (const [turn, name, retryable] of cases) {
    const error = await failure(turn);
    assert.equal(error.problem.name, name);
    assert.equal(error.retryable, retryable);
    assert.equal(error.source, 'gateway');
    assert.match(error.message, new RegExp(String(error.problem.status)));
  }
  assert.match((await failure(text(502, '<html>Bad gateway</html>'))).message, /Bad gateway/);
});

test('no server: unavailable, with the address and the reason', async () => {
  const closed = await startScript(text(200, ''));
  await closed[Symbol.asyncDispose]();
  const client = createClient({ baseUrl: closed.baseUrl, retry: { attempts: 1 } });
  const error: unknown = await client.readMeta().catch((caught: unknown) => caught);
  assert.ok(isProblem(error, 'unavailable'));
  assert.equal(error.source, 'network');
  assert.equal(error.problem.status, 0);
  assert.match(error.message, new RegExp(`${closed.baseUrl}.*ECONNREFUSED`));
  assert.ok(error.cause instanceof TypeError);
});
