// Retries: what is sent again, with which key, after which wait, and what is not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, isProblem } from '@colophon/sdk';
import type { Client, ProblemError, RetryOptions } from '@colophon/sdk';
import { cut, json, refuse, silent, startScript, text } from './scripted-server.ts';
import type { ScriptedServer, Turn } from './scripted-server.ts';

const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';
const fast: RetryOptions = { baseMs: 1, capMs: 4 };
const done = json(200, { id });
const noContent: Turn = (_, response) => void response.writeHead(204).end();

function clientOf(server: ScriptedServer, retry: RetryOptions = fast) {
  return createClient({ baseUrl: server.baseUrl, retry });
}

async function failure(call: Promise<unknown>): Promise<ProblemError> {
  const error: unknown = await call.catch((caught: unknown) => caught);
  assert.ok(isProblem(error), String(error));
  return error;
}

test('a key is minted for each call and kept on its retries', async () => {
  await using server = await startScript(
    refuse('unavailable'),
    cut,
    refuse('idempotency-in-progress'),
    done,
  );
  const client = clientOf(server);
  assert.equal((await client.withResponse.publishArticle({ id })).attempts, 4);
  await client.publishArticle({ id });
  const keys = server.seen.map((request) => request.headers['idempotency-key']);
  assert.equal(keys.length, 5);
  assert.equal(new Set(keys.slice(0, 4)).size, 1);
  assert.notEqual(keys[4], keys[0]);
  assert.deepEqual(
    new Set(server.seen.slice(0, 4).map((request) => request.body)),
    new Set(['{}']),
  );
});

test('every retryable problem but conflict is overcome, no other', async () => {
  const again = [
    'idempotency-in-progress',
    'rate-limited',
    'quota-exceeded',
    'internal-error',
    'unavailable',
  ] as const;
  for (const name of again) {
    await using server = await startScript(refuse(name), done);
    await clientOf(server).publishArticle({ id });
    assert.equal(server.seen.length, 2, name);
  }
  const never = [
    'conflict',
    'idempotency-key-reuse',
    'validation-failed',
    'gone',
    'unauthenticated',
  ] as const;
  for (const name of never) {
    await using server = await startScript(refuse(name), done);
    assert.equal((await failure(clientOf(server).publishArticle({ id }))).problem.name, name);
    assert.equal(server.seen.length, 1, name);
  }
});

test('attempts are bounded, and the last problem says how many there were', async () => {
  await using server = await startScript(refuse('unavailable'));
  const error = await failure(clientOf(server, { ...fast, attempts: 3 }).readMeta());
  assert.equal(error.attempts, 3);
  assert.equal(error.outcomeUnknown, false);
  assert.equal(server.seen.length, 3);
});

test('reads and deletions survive a lost connection', async () => {
  await using reading = await startScript(cut, text(502, ''), done);
  await clientOf(reading).readArticle({ id });
  assert.equal(reading.seen.length, 3);
  await using deleting = await startScript(cut, noContent);
  assert.equal((await clientOf(deleting).withResponse.deleteArticle({ id })).attempts, 2);
});

test('a deletion whose answer was lost has succeeded when nothing is left to delete', async () => {
  for (const name of ['gone', 'not-found'] as const) {
    for (const lost of [cut, text(502, ''), refuse('internal-error')]) {
      await using server = await startScript(lost, refuse('unavailable'), refuse(name));
      const { status, body, attempts } = await clientOf(server).withResponse.deleteComment({ id });
      assert.deepEqual([status, body, attempts], [204, undefined, 3]);
    }
    await using sure = await startScript(refuse('unavailable'), refuse(name));
    const error = await failure(clientOf(sure).deleteArticle({ id }));
    assert.equal(error.problem.name, name);
    await using reading = await startScript(cut, refuse(name));
    assert.equal((await failure(clientOf(reading).readArticle({ id }))).problem.name, name);
    await using wrong = await startScript(cut, refuse('not-found'));
    const revoking = await failure(clientOf(wrong).revokeToken({ id }));
    assert.equal(revoking.problem.name, 'not-found', 'a second revocation answers 204');
    await using elsewhere = await startScript(cut, text(404, '<h1>Not found</h1>'));
    assert.equal((await failure(clientOf(elsewhere).deleteArticle({ id }))).source, 'gateway');
  }
});

test('an option that is undefined has its default', async () => {
  await using server = await startScript(refuse('unavailable'));
  const none: RetryOptions = {
    attempts: undefined,
    timeoutMs: undefined,
    longestWaitMs: undefined,
  };
  const error = await failure(clientOf(server, { ...fast, ...none }).readMeta());
  assert.equal(error.attempts, 4);
  const all = { attempts: 2, baseMs: undefined, capMs: undefined };
  assert.equal((await failure(clientOf(server, all).readMeta())).attempts, 2);
  await using cutting = await startScript(cut, done);
  await clientOf(cutting, { baseMs: undefined, timeoutMs: undefined }).readMeta();
  assert.equal(cutting.seen.length, 2);
});

test('uploads and downloads have ten minutes, other calls one, unless it is set', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const waiting: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('late')));
    });
  const limitOf = async (start: (client: Client) => Promise<unknown>, retry: RetryOptions) => {
    const client = createClient({ baseUrl: 'http://127.0.0.1', fetch: waiting, retry });
    let isOver = false;
    const call = failure(start(client)).finally(() => (isOver = true));
    for (let seconds = 1; ; seconds += 1) {
      t.mock.timers.tick(1_000);
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      if (!isOver) continue;
      await call;
      return seconds;
    }
  };
  const once: RetryOptions = { attempts: 1 };
  assert.equal(await limitOf((client) => client.readMeta(), once), 60);
  assert.equal(await limitOf((client) => client.readMediaContent({ id }), once), 600);
  assert.equal(await limitOf((client) => client.readExportContent({ id }), once), 600);
  const bytes = new Uint8Array(3);
  assert.equal(await limitOf((client) => client.uploadMedia({ id, bytes }), once), 600);
  const set = { ...once, timeoutMs: 5_000 };
  assert.equal(await limitOf((client) => client.readMediaContent({ id }), set), 5);
});

test('what has no key is not sent twice when its outcome is unknown', async () => {
  for (const turn of [cut, text(502, ''), refuse('internal-error')]) {
    await using server = await startScript(turn, json(201, {}));
    const error = await failure(clientOf(server).registerHuman({ username: 'ada' }));
    assert.equal(error.outcomeUnknown, true);
    assert.equal(server.seen.length, 1);
  }
});

test('what has no key is sent again when the service said that it did nothing', async () => {
  for (const turn of [refuse('unavailable'), refuse('rate-limited')]) {
    await using server = await startScript(turn, json(201, { id }));
    await clientOf(server).registerHuman({ username: 'ada' });
    await clientOf(server).updateArticle({ id, language: 'en' });
    assert.equal(server.seen.length, 3);
    assert.equal(server.seen[0]?.headers['idempotency-key'], undefined);
  }
});

test('a refused connection is tried again even without a key, for nothing was sent', async () => {
  let asked = 0;
  const refusing: typeof fetch = async () => {
    asked += 1;
    if (asked === 3) return Response.json({ id }, { status: 201 });
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }),
    });
  };
  const client = createClient({ baseUrl: 'http://127.0.0.1', fetch: refusing, retry: fast });
  await client.registerHuman({ username: 'ada' });
  assert.equal(asked, 3);
});

test('the wait that the service names is kept, in the body or in the header', async () => {
  const ways = [
    refuse('rate-limited', { retry_after_seconds: 1 }),
    refuse('unavailable', {}, { 'retry-after': '1' }),
  ].map(async (named) => {
    await using server = await startScript(named, done);
    const begin = performance.now();
    await clientOf(server).readMeta();
    assert.ok(performance.now() - begin >= 995);
  });
  await Promise.all(ways);
});

test('a wait that is too long is not slept on', async () => {
  await using server = await startScript(refuse('quota-exceeded', { retry_after_seconds: 40_000 }));
  const begin = performance.now();
  const error = await failure(clientOf(server).publishArticle({ id }));
  assert.equal(error.problem.retry_after_seconds, 40_000);
  assert.equal(server.seen.length, 1);
  assert.ok(performance.now() - begin < 60_000);
});

test('Retry-After as a date counts too', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  await using server = await startScript(refuse('unavailable', {}, { 'retry-after': date }));
  const wait = (await failure(clientOf(server).readMeta())).problem.retry_after_seconds ?? 0;
  assert.ok(wait > 3_500 && wait <= 3_600, String(wait));
});

test('the signal of a call ends its wait with its own reason', async () => {
  await using server = await startScript(refuse('unavailable', { retry_after_seconds: 20 }));
  const ending = new AbortController();
  const call = clientOf(server).readMeta({}, { signal: ending.signal });
  const reason = new Error('enough');
  const timer = setInterval(() => {
    if (server.seen.length > 0) ending.abort(reason);
  }, 5);
  await assert.rejects(call, (error) => error === reason);
  clearInterval(timer);
});

test('the signal of the client ends a request in flight and every later call', async () => {
  const ending = new AbortController();
  await using server = await startScript(() => ending.abort());
  const client = createClient({ baseUrl: server.baseUrl, signal: ending.signal });
  await assert.rejects(client.readMeta(), { name: 'AbortError' });
  await assert.rejects(client.readMeta(), { name: 'AbortError' });
  assert.equal(server.seen.length, 1);
});

test('an answer that does not come in time is a lost one', async (t) => {
  await using server = await startScript(silent, done);
  // By the clock of the test: however busy the machine is, the second answer is in time.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const answered = clientOf(server).withResponse.readMeta();
  while (server.seen.length < 1) await new Promise(setImmediate);
  t.mock.timers.tick(60_000);
  while (server.seen.length < 2) {
    t.mock.timers.tick(1);
    await new Promise(setImmediate);
  }
  assert.equal((await answered).attempts, 2);
  t.mock.timers.reset();
  await using mute = await startScript(silent);
  const error = await failure(clientOf(mute, { ...fast, timeoutMs: 50, attempts: 2 }).readMeta());
  assert.match(error.message, /no complete response within 50 ms/);
  assert.equal(error.outcomeUnknown, true);
});

test('an answer that breaks off is a lost one', async () => {
  await using server = await startScript((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{', () => response.socket?.destroy());
  }, done);
  assert.deepEqual(await clientOf(server).readMeta(), { id });
  assert.equal(server.seen.length, 2);
});

test('JSON that was cut on the way is a lost answer; a page from elsewhere is not', async () => {
  await using cutOff = await startScript(
    text(201, '{"id":"0', 'application/json'),
    json(201, { id }),
  );
  await clientOf(cutOff).createArticle({ title: 'T', content: 'C' });
  assert.equal(cutOff.seen.length, 2);
  await using cutProblem = await startScript(text(404, '{"type', 'application/problem+json'), done);
  await clientOf(cutProblem).readArticle({ id });
  assert.equal(cutProblem.seen.length, 2);
  await using elsewhere = await startScript(text(200, '<h1>Sign in to the network</h1>'));
  const error = await failure(clientOf(elsewhere).readMeta());
  assert.equal(error.source, 'gateway');
  assert.equal(elsewhere.seen.length, 1);
});

test('a time limit longer than a timer can be does not end a request', async () => {
  await using server = await startScript(done);
  for (const timeoutMs of [Infinity, 2 ** 31]) {
    const client = clientOf(server, { ...fast, attempts: 1, timeoutMs });
    assert.deepEqual(await client.readMeta(), { id });
  }
});
