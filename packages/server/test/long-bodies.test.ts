// Long JSON bodies: what they cost the event loop beside their bytes, and which refusal wins.
import assert from 'node:assert/strict';
import process from 'node:process';
import { after, test } from 'node:test';
import { assertProblem, startServer } from './harness.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const { token } = await server.register();
const MiB = 1024 * 1024;

function post(raw: string | Buffer) {
  const headers = { 'content-type': 'application/json' };
  return server.ask('POST', '/v1/articles', { token, key: true, raw, headers });
}

function fill(unit: string, length = 8 * MiB): Buffer {
  return Buffer.from(unit.repeat(Math.floor(length / unit.length)));
}

/** Milliseconds of processor time that this thread takes, client and server: the least of three. */
async function loopMs(raw: Buffer): Promise<number> {
  let least = Infinity;
  for (let n = 0; n < 3; n += 1) {
    const before = process.threadCpuUsage();
    const { status } = await post(raw);
    const { user, system } = process.threadCpuUsage(before);
    assert.ok(status === 400 || status === 422, `${status}`);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

const bodies = {
  'arrays in arrays': '[',
  'objects in objects': '{"":',
  'numbers without a comma': '0 ',
  'nothing but spaces': ' ',
};

test('bodies of 8 MiB take the event loop little more than their bytes do', async (t) => {
  // Broken in its first byte: it is received, and that is all.
  const received = await loopMs(fill('x'));
  for (const [name, unit] of Object.entries(bodies)) {
    const took = await loopMs(fill(unit));
    t.diagnostic(`${name}: ${took.toFixed(0)} ms, and ${received.toFixed(0)} ms to receive`);
    assert.ok(took < received * 2 + 50, `${name}: ${took} ms, and ${received} ms to receive`);
  }
});

test('422 for what was refused first, where the grammar breaks far behind it; 400 where it breaks near', async () => {
  const refused = '["\\u0000"';
  assertProblem(await post(`${refused},${' '.repeat(1_000)}`), 'invalid-request');
  assertProblem(await post(`${refused}${',0'.repeat(MiB)}`), 'validation-failed');
  assertProblem(await post(`[${'"a",'.repeat(MiB)}]`), 'validation-failed');
  assertProblem(await post(fill('[', 1_000)), 'invalid-request');
  assertProblem(await post(fill('[')), 'validation-failed');
});

test('201 for the longest text in escapes, read in a thread', async () => {
  const content = '\u0001'.repeat(MiB);
  const raw = JSON.stringify({ title: 'Long', content });
  assert.ok(raw.length > 6 * MiB);
  const made = await post(raw);
  assert.equal(made.status, 201);
  const read = await server.ask('GET', `/v1/articles/${made.body.id}`, { token });
  assert.equal(read.body.content, content);
});

test('422 with the places of tokens in a long body', async () => {
  const metadata = { 'a/b': token };
  const raw = JSON.stringify({ title: 'Long', content: 'x'.repeat(100_000), metadata });
  const answer = await post(raw);
  assertProblem(answer, 'validation-failed');
  assert.deepEqual(
    answer.body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
    [['/metadata/a~1b', 'own-token']],
  );
});

test('422 a name of megabytes is not repeated in the answer', async () => {
  const response = await post(`{"${'ä/'.repeat(2 * MiB)}":1}`);
  assertProblem(response, 'validation-failed');
  const faults = response.body.errors as readonly { pointer: string; code: string }[];
  const unknown = faults.find(({ code }) => code === 'unknown');
  const { pointer = '' } = unknown ?? {};
  assert.ok(pointer.length < 400 && pointer.endsWith('…'), pointer.slice(0, 500));
});
