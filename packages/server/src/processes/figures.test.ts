// The figures of one host: sums that never go back, and what counts as ready.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Child } from './child.ts';
import { openFigures } from './figures.ts';
import type { ToProcess } from './messages.ts';

const requests = (value: number) => ({
  name: 'requests',
  help: 'Requests.',
  type: 'counter',
  aggregator: 'sum',
  values: [{ labels: { status: 200 }, value }],
});
const polls = (value: number) => ({ ...requests(value), name: 'polls', type: 'gauge' });

/** A process that counts, and answers only while it does not hang. */
function makeChild(name: string) {
  const state = { requests: 0, polls: 1, hangs: false, stopping: false };
  const child: Child = {
    id: 1,
    slot: { name, role: 'web' },
    pid: 1,
    startedAt: 0,
    ready: Promise.resolve([]),
    ended: new Promise(() => undefined),
    isStopping: () => state.stopping,
    isReady: () => true,
    startingMs: () => 0,
    send: (message: ToProcess) => {
      if (message.kind !== 'figures' || state.hangs) return;
      figures.receive(message.id, child, [requests(state.requests), polls(state.polls)]);
    },
    stop: () => Promise.resolve(),
    kill: () => undefined,
  };
  return { child, state };
}

const silent = new Set<Child>();
const one = makeChild('web-1');
const two = makeChild('web-2');
const alive = [one.child, two.child];
const figures = openFigures({
  children: () => alive,
  responds: (child) => !silent.has(child),
  expected: 2,
  patienceMs: 1,
});

async function read(name: string): Promise<number> {
  const all = (await figures.read()).flatMap(
    (each) => each.figures as ReturnType<typeof requests>[],
  );
  const values = all.filter((each) => each.name === name).flatMap((each) => each.values);
  return values.reduce((sum, { value }) => sum + value, 0);
}

test('a sum does not go back while a process hangs, nor when it ends or is replaced', async () => {
  one.state.requests = 10;
  two.state.requests = 5;
  assert.equal(await read('requests'), 15);
  one.state.hangs = true;
  two.state.requests = 6;
  assert.equal(await read('requests'), 16, 'the last count of the one that hangs');
  assert.equal(await read('polls'), 1, 'what it does now is unknown');
  assert.equal(await read('colophon_processes_expected'), 2);
  assert.equal(await read('colophon_processes_ready'), 2, 'it may only be slow');
  silent.add(one.child);
  assert.equal(await read('colophon_processes_ready'), 1);
  assert.equal(await read('requests'), 16);

  alive.shift();
  figures.end(one.child);
  assert.equal(await read('requests'), 16, 'it has ended');
  figures.receive(0, one.child, [requests(12)]);
  assert.equal(await read('requests'), 16, 'its last message came too late');
  const three = makeChild('web-1');
  three.state.requests = 1;
  alive.push(three.child);
  assert.equal(await read('requests'), 17);
});

test('an end in the middle of a scrape is counted once', async () => {
  const before = await read('requests');
  const last = alive.at(-1);
  assert.ok(last !== undefined);
  two.state.hangs = true;
  const reading = read('requests');
  alive.pop();
  figures.end(last);
  assert.equal(await reading, before);
  assert.equal(await read('requests'), before);
});

test('during a replacement, both processes of a slot have a name of their own', async () => {
  two.state.hangs = false;
  two.state.stopping = true;
  alive.push(makeChild('web-2').child);
  const names = (await figures.read()).map(({ process }) => process);
  assert.deepEqual(names, ['web-2-stopping', 'web-2', 'ended', 'supervisor']);
  assert.equal(await read('colophon_processes_ready'), 1);
});
