// Reads that are costly by their text: the event loop stays free, no one is starved, and each is charged for what it costs.
import assert from 'node:assert/strict';
import process from 'node:process';
import { after, test } from 'node:test';
import { weights } from '@colophon/contract';
import { assertProblem, problemName, startServer } from './harness.ts';
import type { Human, Response } from './harness.ts';
import { startLimitedServer } from './limits-file.ts';

// Nothing here depends on the pipeline.
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const author = await server.register();

/** Milliseconds of processor time that the thread of the event loop takes for some work. */
async function loopMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const hostile = {
  'a fence that does not close': `${'~'.repeat(32_000)}|`,
  'definitions in notes': '[^1]:[a]:'.repeat(3_600),
  'definitions with one long address': `[a]: http://${'x'.repeat(16_000)}\n\n${'[a] '.repeat(4_000)}`,
};

for (const [name, content] of Object.entries(hostile)) {
  test(`200 for view=spotlight of ${name}, and little work on the event loop`, async () => {
    const { id } = await server.published(author, { content });
    const path = `/v1/articles/${id}?view=spotlight`;
    await server.ask('GET', path);
    const took = await loopMs(async () => {
      for (let n = 0; n < 3; n += 1) assert.equal((await server.ask('GET', path)).status, 200);
    });
    // What is quadratic takes seconds each time.
    assert.ok(took < 1_000, `${took} ms`);
  });
}

async function spotlights(ids: readonly string[], { token }: Human) {
  return Promise.all(
    ids.map((id) => server.ask('GET', `/v1/articles/${id}?view=spotlight`, { token })),
  );
}

test('200 for others while one account sends many long reads at once, and 429 for that account', async () => {
  const [greedy, patient] = [await server.register(), await server.register()];
  const content = 'word '.repeat(50_000);
  const { id } = await server.published(author, { content });
  const many = spotlights(Array<string>(40).fill(id), greedy);
  const [answer] = await spotlights([id], patient);
  assert.equal(answer?.status, 200);
  const answers = await many;
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(answers.length > refused.length && refused.length > 0);
  for (const one of refused) assert.equal(problemName(one), 'rate-limited');
});

/** An article with two published revisions of its text. */
async function publishTwice(human: Human, from: string, to: string): Promise<string> {
  const { id, revision_id } = await server.published(human, { content: from });
  const asked = { token: human.token, key: true as const };
  const headers = { 'if-match': `"${revision_id}"` };
  await server.ask('POST', `/v1/articles/${id}/revisions`, {
    ...asked,
    headers,
    body: { content: to },
  });
  await server.ask('POST', `/v1/articles/${id}/publish`, { ...asked, body: {} });
  return `/v1/articles/${id}/diff`;
}

/** Comparisons that are given up after a while. Each is another one: it is tried only once. */
function hardComparisons(count: number): Promise<string[]> {
  const lines = Array.from({ length: 20_000 }, (_, n) => `${n}\n`);
  const [from, to] = [lines.join(''), lines.toReversed().join('')];
  return Promise.all(Array.from({ length: count }, () => publishTwice(author, from, to)));
}

test('200 for a short comparison while the accounts of one address have filled the queue', async () => {
  const greedy = await Promise.all(Array.from({ length: 9 }, () => server.register()));
  const paths = await hardComparisons(3);
  const short = await publishTwice(author, 'one\ntwo\n', 'one\nthree\n');
  const { token } = await server.register();
  let waiting = true;
  const many = greedy.flatMap((human, n) =>
    Array.from({ length: 9 }, (_, m) =>
      server.ask('GET', paths[(n + m) % 3] ?? '', { token: human.token }),
    ),
  );
  const all = Promise.all(many).finally(() => (waiting = false));
  assert.equal((await server.ask('GET', short, { token })).status, 200);
  assert.ok(waiting, 'before the others are answered');
  for (const { status } of await all) assert.ok([200, 429, 503].includes(status), `${status}`);
});

test('429 where many comparisons of one account wait, and not a comparison that says it is truncated', async () => {
  const greedy = await server.register();
  const paths = await hardComparisons(2);
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) => paths[n % 2] ?? '').map((path) =>
      server.ask('GET', path, { token: greedy.token }),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0);
  for (const one of refused) assert.equal(problemName(one), 'rate-limited');
});

test('429 rate-limited for a long read that weighs more than is left', async () => {
  // A bucket of so few gets one back every 30 s: two long reads in a row never fit.
  await using counted = await startLimitedServer({ rates: { reads_per_minute: 2 } });
  const human = await counted.register();
  const long = await counted.published(human, { content: 'x'.repeat(weights.textPerRead * 5) });
  const read = (view: string) =>
    counted.ask('GET', `/v1/articles/${long.id}${view}`, { token: human.token });
  const first = await read('?view=spotlight');
  assert.equal(first.status, 200);
  assert.match(first.headers.get('ratelimit') ?? '', /^"reads";r=0;/);
  assertProblem(await read('?view=spotlight'), 'rate-limited');
});

test('429 rate-limited for a long read says how long the request with its weight has to wait', async () => {
  const [perMinute, weight] = [10, 5];
  await using counted = await startLimitedServer({ rates: { reads_per_minute: perMinute } });
  const human = await counted.register();
  const content = 'x'.repeat(weights.textPerRead * weight);
  const { id } = await counted.published(human, { content });
  const leftOf = ({ headers }: Response) =>
    Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);
  const get = (path: string) => counted.ask('GET', path, { token: human.token });
  for (let n = 0; ; n += 1) {
    // Short reads use up what the weight would need: a long one counts what its work takes as well.
    while (leftOf(await get('/v1/me')) > 2);
    const answer = await get(`/v1/articles/${id}?view=spotlight`);
    if (answer.status === 200 && n < 100) continue;
    assertProblem(answer, 'rate-limited');
    // It takes one for itself again before it takes its weight. Almost one more may be there by now.
    const waitSeconds = ((weight + 1 - (leftOf(answer) + 2)) * 60) / perMinute;
    assert.ok(answer.body.retry_after_seconds > waitSeconds, JSON.stringify(answer.body));
    return;
  }
});

test('a write counts as one more for each MiB of its body', async () => {
  await using counted = await startLimitedServer({ rates: { writes_per_minute: 12 } });
  const human = await counted.register();
  const body = {
    title: 'Long',
    content: '',
    metadata: {},
    filler: 'x'.repeat(5 * weights.bytesPerWrite),
  };
  const answer = await counted.ask('POST', '/v1/articles', { token: human.token, key: true, body });
  assertProblem(answer, 'validation-failed');
  assert.match(answer.headers.get('ratelimit') ?? '', /"writes";r=[678];/);
});
