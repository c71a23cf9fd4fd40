// events(): order, resumption after failures, the cursor to keep, and what ends the loop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, isProblem } from '@colophon/sdk';
import type { ClientOptions } from '@colophon/sdk';
import { cut, json, refuse, startScript, text } from './scripted-server.ts';
import type { Turn } from './scripted-server.ts';

const retry = { baseMs: 1, attempts: 1 };

function page(names: readonly string[], more = false, type = 'comment.created'): Turn {
  const items = names.map((id) => ({ id, type }));
  return json(200, { items, next_cursor: more ? names.at(-1) : null });
}

const clientOf = (baseUrl: string, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl, token: 'secret', retry, ...options });

/** Query parameters of each poll. */
const queriesOf = (seen: readonly { url: string }[]) =>
  seen.map(({ url }) => Object.fromEntries(new URL(url, 'http://x').searchParams));

test('each event once and in order, each poll after the last received', async () => {
  await using server = await startScript(
    page(['A', 'B'], true),
    page(['C']),
    page([]),
    page(['D']),
  );
  const got: string[] = [];
  for await (const { id } of clientOf(server.baseUrl).events()) {
    got.push(id);
    if (id === 'D') break;
  }
  assert.deepEqual(got, ['A', 'B', 'C', 'D']);
  assert.deepEqual(
    queriesOf(server.seen).map(({ since, wait }) => [since, wait]),
    [
      [undefined, '25'],
      ['B', '25'],
      ['C', '25'],
      ['C', '25'],
    ],
  );
});

test('cuts, gateways, a service that starts and limits are waited through, past any number of attempts', async () => {
  const failures = [
    cut,
    refuse('unavailable'),
    text(502, 'Bad gateway'),
    refuse('internal-error'),
    refuse('rate-limited', { retry_after_seconds: 0 }),
    cut,
    cut,
  ];
  await using server = await startScript(page(['A']), ...failures, page(['B']));
  const got: string[] = [];
  for await (const { id } of clientOf(server.baseUrl).events()) {
    got.push(id);
    if (id === 'B') break;
  }
  assert.deepEqual(got, ['A', 'B']);
  assert.ok(queriesOf(server.seen.slice(1)).every(({ since }) => since === 'A'));
  assert.equal(server.seen.length, failures.length + 2);
});

test('the cursor is the event handed out last: kept, it resumes after it', async () => {
  await using server = await startScript(page(['A', 'B', 'C']));
  const client = clientOf(server.baseUrl);
  const events = client.events({ since: '9' });
  assert.equal(events.cursor, '9');
  for await (const { id } of events) {
    assert.equal(events.cursor, id);
    if (id === 'B') break;
  }
  assert.equal(events.cursor, 'B');
  await client.events({ since: events.cursor }).next();
  assert.equal(queriesOf(server.seen).at(-1)?.['since'], 'B');
});

test('one type is asked for, several are picked; what is passed over is not asked for again', async () => {
  await using server = await startScript(
    page(['A'], false, 'comment.created'),
    page(['B'], true, 'follow.created'),
    page(['C'], false, 'reply.created'),
  );
  const client = clientOf(server.baseUrl);
  for await (const { id } of client.events({ types: ['comment.created'] })) {
    assert.equal(id, 'A');
    break;
  }
  for await (const { id } of client.events({
    types: ['comment.created', 'reply.created'],
    wait: 5,
  })) {
    assert.equal(id, 'C');
    break;
  }
  const [first, second, third] = queriesOf(server.seen);
  assert.equal(first?.['type'], 'comment.created');
  assert.equal(second?.['type'], undefined);
  assert.equal(second?.['wait'], '5');
  assert.equal(third?.['since'], 'B');
});

test('a problem that stays ends the loop', async () => {
  for (const name of ['unauthenticated', 'insufficient-scope', 'invalid-request'] as const) {
    await using server = await startScript(page(['A']), refuse(name));
    const got: string[] = [];
    await assert.rejects(
      async () => {
        for await (const { id } of clientOf(server.baseUrl).events()) got.push(id);
      },
      (error) => isProblem(error, name),
    );
    assert.deepEqual(got, ['A']);
    assert.equal(server.seen.length, 2);
  }
});

test('a signal ends the loop with its reason, in a poll, in a pause and between events', async () => {
  const silent: Turn = () => undefined;
  for (const script of [[silent], [cut], [page([])], [page(['A', 'B'])]]) {
    await using server = await startScript(...script);
    const ending = new AbortController();
    const follow = async () => {
      for await (const _ of clientOf(server.baseUrl, { retry: { baseMs: 60_000 } }).events({
        signal: ending.signal,
      })) {
        ending.abort(new Error('enough'));
      }
    };
    const loop = follow();
    while (server.seen.length === 0) await new Promise(setImmediate);
    setTimeout(() => ending.abort(new Error('enough')), 20);
    await assert.rejects(loop, /enough/);
  }
});

test('a service that answers at once with nothing is asked once a second', async () => {
  await using server = await startScript(page([]), page(['A']));
  const begun = performance.now();
  await clientOf(server.baseUrl).events().next();
  assert.ok(performance.now() - begun >= 990);
  assert.equal(server.seen.length, 2);
});

test('each.listEvents goes through the pages there are, and ends', async () => {
  await using server = await startScript(page(['A', 'B'], true), page(['C']));
  const got: string[] = [];
  for await (const { id } of clientOf(server.baseUrl).each.listEvents({ since: '9', limit: 2 }))
    got.push(id);
  assert.deepEqual(got, ['A', 'B', 'C']);
  assert.deepEqual(
    queriesOf(server.seen).map(({ since }) => since),
    ['9', 'B'],
  );
});
