// Tests of buckets in a real Redis: exact over several clients, and when Redis is down or hangs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startRedis, withoutRedis } from '#test/redis';
import { remainderOf } from '#lib/token-bucket';
import { openSharedBuckets } from './redis.ts';
import type { SharedBuckets } from './redis.ts';

const skip = withoutRedis;
const rate = { requests: 40, windowMs: 3_600_000 };

/** Collects the log. */
function openLog() {
  const lines: string[] = [];
  const log = (_fields: object, text: string) => void lines.push(text);
  return { lines, info: log, warn: log };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(10);
}

const untilAnswering = (buckets: SharedBuckets) =>
  until(
    async () => (await buckets.take('probe', { requests: 1e6, windowMs: 1_000 })) !== undefined,
  );

/** The test is about what is counted, not about how fast: a busy machine may take longer than the deadline. */
const patientMs = 60_000;

test('three clients at once admit exactly what one bucket contains', { skip }, async () => {
  await using redis = await startRedis();
  await using one = openSharedBuckets(redis.url, openLog(), patientMs);
  await using two = openSharedBuckets(redis.url, openLog(), patientMs);
  await using three = openSharedBuckets(redis.url, openLog(), patientMs);
  const clients = [one, two, three];
  for (const client of clients) await untilAnswering(client);
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => clients.map((client) => client.take('k', rate))).flat(),
  );
  assert.ok(outcomes.every((outcome) => outcome !== undefined));
  assert.equal(outcomes.filter((outcome) => outcome?.admitted).length, 40);
  const left = outcomes.flatMap((outcome) =>
    outcome?.admitted ? [remainderOf(rate, outcome).remaining] : [],
  );
  assert.deepEqual(
    left.toSorted((a, b) => a - b),
    Array.from({ length: 40 }, (_, n) => n),
  );
});

test(
  'the script counts as the process does, and a full bucket leaves no key',
  { skip },
  async () => {
    await using redis = await startRedis();
    await using buckets = openSharedBuckets(redis.url, openLog(), patientMs);
    await untilAnswering(buckets);
    const none = await buckets.take('none', { requests: 0, windowMs: 60_000 });
    assert.deepEqual(none, { admitted: false, debtMs: 0 });
    const quick = { requests: 2, windowMs: 200 };
    const taken = [];
    for (let n = 0; n < 3; n += 1) taken.push(await buckets.take('quick', quick));
    assert.equal(taken[0]?.admitted, true);
    assert.ok(Math.abs((taken[0]?.debtMs ?? 0) - 100) < 0.01);
    await until(async () => !(await redis.keys()).includes('colophon:rate:quick'));
    assert.deepEqual((await buckets.take('quick', quick))?.admitted, true);
  },
);

test('what is charged afterwards is owed to all, at most one window', { skip }, async () => {
  await using redis = await startRedis();
  await using one = openSharedBuckets(redis.url, openLog(), patientMs);
  await using other = openSharedBuckets(redis.url, openLog(), patientMs);
  for (const each of [one, other]) await untilAnswering(each);
  const few = { requests: 10, windowMs: 600_000 };
  assert.equal(await one.charge('reader', few, 4), true);
  const taken = await other.take('reader', few);
  assert.ok(taken?.admitted && Math.abs(taken.debtMs - 300_000) < 30_000, String(taken?.debtMs));
  assert.equal(await one.charge('reader', few, 1_000), true);
  assert.equal((await other.take('reader', few))?.admitted, false);
});

test('Redis lost: undefined at once, said once; back again: shared again', { skip }, async () => {
  await using redis = await startRedis();
  const log = openLog();
  await using buckets = openSharedBuckets(redis.url, log, patientMs);
  await untilAnswering(buckets);
  await redis.kill();
  await until(async () => (await buckets.take('k', rate)) === undefined);
  const began = performance.now();
  for (let n = 0; n < 1_000; n += 1) assert.equal(await buckets.take('k', rate), undefined);
  // Waiting for a single one would take a minute.
  assert.ok(performance.now() - began < 30_000, 'no request waits for it');
  assert.equal(log.lines.filter((line) => line.includes('does not respond')).length, 1);
  await redis.start();
  await untilAnswering(buckets);
  assert.equal(log.lines.filter((line) => line.includes('responds again')).length, 1);
});

test('Redis hangs: one wait of a tenth of a second, then none', { skip }, async () => {
  await using redis = await startRedis();
  await using buckets = openSharedBuckets(redis.url, openLog());
  await untilAnswering(buckets);
  await redis.freeze();
  const began = performance.now();
  assert.equal(await buckets.take('k', rate), undefined);
  for (let n = 0; n < 1_000; n += 1) await buckets.take('k', rate);
  assert.ok(performance.now() - began < 30_000, String(performance.now() - began));
  redis.thaw();
  await untilAnswering(buckets);
});

test('Redis hangs for long: what waits for it does not grow', { skip }, async () => {
  await using redis = await startRedis();
  await using buckets = openSharedBuckets(redis.url, openLog(), 20);
  await untilAnswering(buckets);
  await redis.freeze();
  const ask = () => Promise.all(Array.from({ length: 50 }, () => buckets.take('k', rate)));
  await ask();
  // The time of two pauses, after each of which it would ask again.
  const pauses = performance.now() + 2_500;
  while (performance.now() < pauses) {
    assert.ok((await ask()).every((outcome) => outcome === undefined));
    await wait(50);
  }
  redis.thaw();
  await untilAnswering(buckets);
  assert.ok(redis.scriptsRun() < 120, `${redis.scriptsRun()} were sent`);
});

/** A proxy before Redis. `join` passes the bytes of one connection; what ends at one side ends at the other. */
async function startProxy(
  url: string,
  join: (near: Socket, far: Socket) => void,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const { hostname, port } = new URL(url);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    join(near, far);
    near.on('close', () => far.destroy()).on('error', () => far.destroy());
    far.on('close', () => near.destroy()).on('error', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}

/** A proxy on whose connections bytes pass, or vanish as on the way to a machine that is gone. */
async function startLossyProxy(url: string) {
  const vanishing: (() => void)[] = [];
  let lossy = 0;
  const proxy = await startProxy(url, (near, far) => {
    let gone = lossy > 0;
    if (gone) lossy -= 1;
    vanishing.push(() => void (gone = true));
    far.on('data', (bytes) => void (gone || near.write(bytes)));
    near.on('data', (bytes) => void (gone || far.write(bytes)));
  });
  return {
    ...proxy,
    /** The present connections stay open and pass nothing any more, and so do the next ones. */
    vanish: (next: number) => {
      lossy = next;
      for (const vanish of vanishing) vanish();
    },
  };
}

test(
  'a Redis whose machine vanished is connected to again, though no connection was closed',
  { skip },
  async () => {
    await using redis = await startRedis();
    await using proxy = await startLossyProxy(redis.url);
    const log = openLog();
    await using buckets = openSharedBuckets(proxy.url, log);
    await untilAnswering(buckets);
    // The next connection is accepted, and gets no answer to its first words either.
    proxy.vanish(1);
    await untilAnswering(buckets);
    assert.equal(log.lines.filter((line) => line.includes('responds again')).length, 1);
    await until(async () => (await redis.connections()) === 1);
  },
);

/** A proxy that keeps what Redis answers between `hold` and `release`: no pause of the machine is as long. */
async function startSlowProxy(url: string) {
  let held: (() => void)[] | undefined;
  const proxy = await startProxy(url, (near, far) => {
    far.on('data', (bytes) => {
      const pass = () => void near.write(bytes);
      if (held === undefined) pass();
      else held.push(pass);
    });
    near.on('data', (bytes) => void far.write(bytes));
  });
  return {
    ...proxy,
    hold: () => void (held = []),
    release: () => {
      const late = held ?? [];
      held = undefined;
      for (const pass of late) pass();
    },
  };
}

test(
  'Redis slow: counted here while an answer takes too long, then exact for all again',
  { skip },
  async () => {
    await using redis = await startRedis();
    await using proxy = await startSlowProxy(redis.url);
    await using slow = openSharedBuckets(proxy.url, openLog());
    await using direct = openSharedBuckets(redis.url, openLog(), patientMs);
    await untilAnswering(slow);
    await untilAnswering(direct);
    proxy.hold();
    assert.equal(await slow.take('late', rate), undefined, 'the process counts it itself');
    assert.equal(await slow.take('late', rate), undefined, 'and does not ask for a while');
    proxy.release();
    await untilAnswering(slow);
    const taken: boolean[] = [];
    for (let n = 0; n < rate.requests; n += 1)
      for (const client of [slow, direct]) {
        const outcome = await client.take('after', rate);
        // A busy machine may be slower than the deadline; what it counted for itself is in no bucket here.
        if (outcome !== undefined) taken.push(outcome.admitted);
      }
    assert.ok(taken.length > rate.requests, 'Redis counts again');
    assert.equal(taken.filter(Boolean).length, rate.requests);
  },
);

test(
  'a process that was busy while Redis answered counts nothing for itself',
  { skip },
  async () => {
    await using redis = await startRedis();
    await using buckets = openSharedBuckets(redis.url, openLog());
    await untilAnswering(buckets);
    const few = { requests: 100, windowMs: 3_600_000 };
    const before = redis.scriptsRun();
    const asked = Array.from({ length: 300 }, () => buckets.take('burst', few));
    // So few fit into one write. They are sent and answered, and nothing is read for longer than the deadline.
    await new Promise(setImmediate);
    const began = performance.now();
    while (redis.scriptsRun() < before + asked.length);
    while (performance.now() - began < 300);
    const outcomes = await Promise.all(asked);
    assert.equal(outcomes.filter((one) => one === undefined).length, 0);
    assert.equal(outcomes.filter((one) => one?.admitted).length, 100);
  },
);

test('disposed while it connects: no connection stays behind', { skip }, async () => {
  await using redis = await startRedis();
  const ways = [async () => undefined, () => wait(0), () => wait(1), () => wait(5)];
  for (const pause of ways) {
    const buckets = openSharedBuckets(redis.url, openLog(), patientMs);
    await pause();
    await buckets[Symbol.asyncDispose]();
  }
  await until(async () => (await redis.connections()) === 0);
});

test('disposed while Redis is away: it ends at once and tries no more', { skip }, async () => {
  await using redis = await startRedis();
  const buckets = openSharedBuckets(redis.url, openLog(), patientMs);
  await using other = openSharedBuckets(redis.url, openLog(), patientMs);
  for (const one of [buckets, other]) await untilAnswering(one);
  await redis.kill();
  for (const one of [buckets, other])
    await until(async () => (await one.take('k', rate)) === undefined);
  const began = performance.now();
  await buckets[Symbol.asyncDispose]();
  assert.ok(performance.now() - began < 30_000);
  await redis.start();
  await untilAnswering(other);
  assert.equal(await redis.connections(), 1, 'the one that was not disposed');
});

test('an address where nothing listens: undefined, and the process can end', async () => {
  const log = openLog();
  await using buckets = openSharedBuckets('redis://127.0.0.1:1', log);
  await until(async () => log.lines.length > 0);
  assert.equal(await buckets.take('k', rate), undefined);
  assert.match(log.lines[0] ?? '', /counts its requests separately/);
});
