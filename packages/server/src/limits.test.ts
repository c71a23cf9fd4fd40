// The limits in force, and the settings around them: what a file changes, and what stops the start.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { quotaActions, quotas, rateNames, rates } from '@colophon/contract';
import { readConfig } from '#config';
import { limitsFrom } from './limits.ts';

const folder = await mkdtemp(join(tmpdir(), 'colophon-settings-'));
after(() => rm(folder, { recursive: true }));

const on = (host: string, settings: Readonly<Record<string, string>> = {}) =>
  readConfig({ HOST: host, LIMITS: 'default', ...settings });

test('the numbers of the interface, ten times as wide on a loopback address only', () => {
  const world = on('0.0.0.0').limits;
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost']) {
    const { limits } = on(host);
    assert.equal(limits.off, false);
    for (const name of rateNames) {
      assert.equal(world.rates[name], rates[name].requests);
      assert.equal(limits.rates[name], rates[name].requests * 10);
    }
    for (const action of quotaActions) {
      assert.deepEqual(world.quotas[action], quotas[action].levels);
      assert.deepEqual(
        limits.quotas[action],
        quotas[action].levels.map((n) => n * 10),
      );
    }
  }
});

test('a file changes what it names, as it names it', async () => {
  const file = join(folder, 'limits.json');
  const changes = { rates: { writes_per_minute: 7 }, quotas: { 'edges.create': [1, 2, 3, 4] } };
  await writeFile(file, JSON.stringify(changes));
  const { limits } = on('127.0.0.1', { LIMITS: file });
  assert.equal(limits.rates.writes_per_minute, 7);
  assert.equal(limits.rates.reads_per_minute, 12_000);
  assert.deepEqual(limits.quotas['edges.create'], [1, 2, 3, 4]);
  assert.equal(limits.quotas['articles.create'][0], 500);
  assert.equal(on('127.0.0.1', { LIMITS: 'off' }).limits.off, true);
});

const wrong: readonly (readonly [unknown, RegExp])[] = [
  [null, /^LIMITS file is null/],
  [[], /^LIMITS file is \[\]/],
  [{ rate: {} }, /^LIMITS rate is .*rates, quotas/],
  [{ rates: 5 }, /^LIMITS rates is 5/],
  [{ rates: { reads: 5 } }, /^LIMITS rates\.reads is 5.*reads_per_minute/],
  [{ rates: { reads_per_minute: -1 } }, /^LIMITS rates\.reads_per_minute is -1/],
  [{ rates: { reads_per_minute: '5' } }, /^LIMITS rates\.reads_per_minute is "5"/],
  [{ rates: { reads_per_minute: 1e15 } }, /^LIMITS rates\.reads_per_minute/],
  [{ quotas: { 'edges.make': [1, 1, 1, 1] } }, /^LIMITS quotas\.edges\.make/],
  [{ quotas: { 'edges.create': [1, 1, 1] } }, /^LIMITS quotas\.edges\.create.*four/],
  [{ quotas: { 'edges.create': [1, 1, 1, 0.5] } }, /^LIMITS quotas\.edges\.create/],
];

for (const [file, sentence] of wrong) {
  test(`a file that is ${JSON.stringify(file)} stops the start with one sentence`, () => {
    assert.throws(() => limitsFrom({ loopback: true, off: false, file }), { message: sentence });
  });
}

test('REDIS_URL is an address of Redis or stops the start, without its password', () => {
  assert.equal(on('127.0.0.1').redisUrl, undefined);
  assert.equal(on('127.0.0.1', { REDIS_URL: '' }).redisUrl, undefined);
  for (const url of ['redis://localhost', 'redis://u:p@h:6379/3', 'rediss://[::1]:6380'])
    assert.equal(on('127.0.0.1', { REDIS_URL: url }).redisUrl, url);
  for (const url of ['localhost:6379', 'http://h', 'redis://h/x', 'redis://'])
    assert.throws(() => on('127.0.0.1', { REDIS_URL: url }), /^Error: REDIS_URL is /, url);
  assert.throws(
    () => on('127.0.0.1', { REDIS_URL: 'http://me:secret@h' }),
    (error: Error) => !error.message.includes('secret'),
  );
});

test('TRUSTED_PROXIES is a list of addresses and networks or stops the start', () => {
  assert.deepEqual(on('127.0.0.1').trustedProxies, []);
  assert.deepEqual(
    on('127.0.0.1', { TRUSTED_PROXIES: ' 10.0.0.1,fd00::/8 , ::1,' }).trustedProxies,
    ['10.0.0.1', 'fd00::/8', '::1'],
  );
  for (const list of [
    'all',
    '10.0.0.0/33',
    '10',
    '127.1',
    '10.0.0.1/8/8',
    '::/129',
    '::1/',
    'a.example',
  ])
    assert.throws(
      () => on('127.0.0.1', { TRUSTED_PROXIES: list }),
      /^Error: TRUSTED_PROXIES is /,
      list,
    );
});
