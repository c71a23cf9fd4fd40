// The cost of short-window limits: address, buckets, fields. node bench/limits.ts [redis://…]
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '../packages/server/src/config/index.ts';
import { openRateLimits } from '../packages/server/src/http/rate-limits/index.ts';
import type { RateLimits } from '../packages/server/src/http/rate-limits/index.ts';
import { openSharedBuckets } from '../packages/server/src/http/rate-limits/redis.ts';

const rounds = 5;
const requests = 200_000;
/** The maximum cost for each request, in milliseconds. */
const budget = 0.05;

const read = { method: 'GET' } as const;
const log = { info: () => undefined, warn: () => undefined };
const owners = Array.from({ length: 10_000 }, (_, n) => `01M7Z3KJBG7YHCVKQDVW${1_000_000 + n}`);
const logged: object[] = [];
const logFields = (fields: object) => {
  logged[0] = fields;
};

interface Case {
  readonly name: string;
  readonly address: (n: number) => string;
  readonly headers: (n: number) => Record<string, string>;
  readonly owner?: (n: number) => string;
}

const withToken = { authorization: 'Bearer token' };
const ipv4 = (n: number) => `203.0.${(n >> 8) & 255}.${n & 255}`;
const ipv6 = (n: number) => `2001:db8:${(n >> 16).toString(16)}:${(n & 65_535).toString(16)}::1`;

const cases: readonly Case[] = [
  { name: 'anonymous, one IPv4 address', address: () => '203.0.113.7', headers: () => ({}) },
  { name: 'anonymous, 65,536 IPv4 addresses', address: ipv4, headers: () => ({}) },
  { name: 'anonymous, a new IPv6 /64 each', address: ipv6, headers: () => ({}) },
  {
    name: 'anonymous, behind a trusted proxy',
    address: () => '10.0.0.1',
    headers: (n) => ({ 'x-forwarded-for': `198.51.100.1, ${ipv4(n)}` }),
  },
  {
    name: 'with a token, 10,000 owners',
    address: ipv4,
    headers: () => withToken,
    owner: (n) => owners[n % owners.length] ?? '',
  },
];

/**
 * Returns the average milliseconds of processor time for a request. Elapsed time would include other programs
 * on the machine.
 */
async function cost(rates: RateLimits, { address, headers, owner }: Case): Promise<number> {
  const began = process.cpuUsage();
  for (let n = 0; n < requests; n += 1) {
    const message = { socket: { remoteAddress: address(n) }, headers: headers(n) };
    const limiter = rates.limiterOf(read, message, owner === undefined, logFields);
    await limiter.limitAddress();
    if (owner !== undefined) await limiter.limitOwner(owner(n));
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000 / requests;
}

async function inMemory(): Promise<boolean> {
  const config = readConfig({
    LIMITS: 'default',
    TRUSTED_PROXIES: '10.0.0.0/8',
    REDIS_URL: '',
  });
  const wide = { ...config.limits.rates, reads_per_minute: 1e12 };
  await using rates = await openRateLimits(
    { ...config, limits: { ...config.limits, rates: wide } },
    log,
  );
  if (rates === undefined) throw new Error('Limits are off.');
  let within = true;
  for (const one of cases) {
    const costs: number[] = [];
    for (let round = 0; round < rounds; round += 1) costs.push(await cost(rates, one));
    const median = costs.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
    within &&= median <= budget;
    process.stdout.write(
      `memory  ${one.name.padEnd(36)} ${(median * 1e6).toFixed(0).padStart(8)} ns\n`,
    );
  }
  return within;
}

/** Round trips: one after another, and as many at once as a busy server has. */
async function inRedis(url: string): Promise<void> {
  await using shared = openSharedBuckets(url, log);
  const rate = { requests: 1e12, windowMs: 60_000 };
  for (let n = 0; n < 500 && (await shared.take('probe', rate)) === undefined; n += 1)
    await wait(10);
  for (const atOnce of [1, 64]) {
    const count = 20_000;
    let lost = 0;
    const began = performance.now();
    for (let n = 0; n < count; n += atOnce) {
      const batch = Array.from({ length: atOnce }, (_, m) => shared.take(`bench:${n + m}`, rate));
      lost += (await Promise.all(batch)).filter((one) => one === undefined).length;
    }
    const each = ((performance.now() - began) / count) * 1e6;
    const name = `${atOnce} at once${lost === 0 ? '' : `, ${lost} NOT ANSWERED`}`;
    process.stdout.write(`redis   ${name.padEnd(36)} ${each.toFixed(0).padStart(8)} ns\n`);
  }
}

const [redis] = process.argv.slice(2);
const within = await inMemory();
process.stdout.write(
  `The limits in memory cost ${within ? 'less than' : 'MORE THAN'} ${budget} ms of a request.\n`,
);
const mebibytes = process.memoryUsage().heapUsed / 1024 ** 2;
process.stdout.write(`Heap at the end: ${mebibytes.toFixed(0)} MiB.\n`);
if (redis !== undefined) await inRedis(redis);
process.exitCode = within ? 0 : 1;
