// Tests of limits and related settings: changes by a file, and values that prevent the start.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connectionsPerAddress, quotaActions, quotas, rateNames, rates } from '@colophon/contract';
import { readConfig } from './index.ts';
import { limitsFrom } from './limits.ts';

const folder = await mkdtemp(join(tmpdir(), 'colophon-settings-'));
after(() => rm(folder, { recursive: true }));

const on = (host: string, settings: Readonly<Record<string, string>> = {}) =>
  readConfig({ HOST: host, LIMITS: 'default', ...settings });

test('BASE_URL has one spelling, and no path', () => {
  assert.equal(
    on('127.0.0.1', { BASE_URL: 'HTTPS://Colophon.Example' }).baseUrl,
    'https://colophon.example',
  );
  assert.throws(() => on('127.0.0.1', { BASE_URL: 'https://a.example/blog' }), /BASE_URL.*path/);
  for (const end of ['?', '#', '?a=b', '/'])
    assert.throws(
      () => on('127.0.0.1', { BASE_URL: `https://a.example${end}` }),
      /BASE_URL.*set it/,
    );
});

test('the numbers of the interface, ten times as wide while BASE_URL is on a loopback address only', () => {
  const world = on('127.0.0.1', { BASE_URL: 'https://colophon.example' }).limits;
  assert.deepEqual(on('0.0.0.0', { BASE_URL: 'https://colophon.example' }).limits, world);
  assert.deepEqual(on('192.0.2.7').limits, world);
  for (const { limits } of [
    ...['127.0.0.1', '127.9.9.9', '::1', 'localhost', ''].map((host) => on(host)),
    on('0.0.0.0', { BASE_URL: 'http://localhost:8080' }),
    on('192.0.2.7', { BASE_URL: 'http://[::1]:8080' }),
  ]) {
    assert.equal(limits.off, false);
    assert.equal(limits.connectionsPerAddress, connectionsPerAddress * 10);
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
  const changes = {
    rates: { writes_per_minute: 7 },
    quotas: { 'edges.create': [1, 2, 3, 4] },
    connections_per_address: 40,
  };
  await writeFile(file, JSON.stringify(changes));
  const { limits } = on('127.0.0.1', { LIMITS: file });
  assert.equal(limits.rates.writes_per_minute, 7);
  assert.equal(limits.connectionsPerAddress, 40);
  assert.equal(limits.rates.reads_per_minute, 12_000);
  assert.deepEqual(limits.quotas['edges.create'], [1, 2, 3, 4]);
  assert.equal(limits.quotas['articles.create'][0], 500);
  assert.equal(on('127.0.0.1', { LIMITS: 'off' }).limits.off, true);
});

const wrong: readonly (readonly [unknown, RegExp])[] = [
  [null, /^LIMITS file is null/],
  [[], /^LIMITS file is \[\]/],
  [
    { rate: {} },
    /^LIMITS rate is not known: remove it; .*rates, quotas, connections_per_address\.$/,
  ],
  [{ connections_per_address: 0 }, /^LIMITS connections_per_address is 0/],
  [{ connections_per_address: '9' }, /^LIMITS connections_per_address is "9"/],
  [{ rates: 5 }, /^LIMITS rates is 5/],
  [{ rates: { reads: 5 } }, /^LIMITS rates\.reads is 5.*reads_per_minute/],
  [{ rates: { reads_per_minute: -1 } }, /^LIMITS rates\.reads_per_minute is -1/],
  [{ rates: { reads_per_minute: '5' } }, /^LIMITS rates\.reads_per_minute is "5"/],
  [{ rates: { reads_per_minute: 1e15 } }, /^LIMITS rates\.reads_per_minute/],
  [{ rates: { reads_per_minute: 0 } }, /^LIMITS rates\.reads_per_minute is 0.* above 0\.$/],
  [{ rates: { writes_per_minute: 0 } }, /^LIMITS rates\.writes_per_minute is 0.* above 0\.$/],
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

test('the base URL is localhost unless HOST names another address, and the listener has both of its addresses', () => {
  for (const host of ['', 'localhost', 'LOCALHOST']) {
    const { baseUrl, host: first, alsoHost } = on(host, { PORT: '9000' });
    assert.deepEqual([baseUrl, first, alsoHost], ['http://localhost:9000', '127.0.0.1', '::1']);
  }
  for (const [host, baseUrl] of [
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['::1', 'http://[::1]:8080'],
    ['machine.example', 'http://machine.example:8080'],
  ] as const) {
    const config = on(host);
    assert.deepEqual([config.baseUrl, config.host, config.alsoHost], [baseUrl, host, undefined]);
  }
  for (const host of ['0.0.0.0', '::', '0', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0'])
    assert.throws(() => on(host), /^Error: HOST is .*BASE_URL/, host);
  // The sentence names the setting that was set, not the one that is made from it.
  for (const host of ['256.1.1.1', 'fe80::1%eth0'])
    assert.throws(() => on(host), /^Error: HOST is .*or set BASE_URL/, host);
});

test('a base address with a password in it is refused, and the password is not repeated', () => {
  for (const name of ['BASE_URL', 'ERRORS_BASE_URL', 'MEDIA_BASE_URL'])
    assert.throws(
      () => on('', { [name]: 'https://me:secret@h.example' }),
      (error: Error) => error.message.startsWith(name) && !error.message.includes('secret'),
    );
});

test('TRUSTED_PROXIES is a list of addresses and networks or stops the start', () => {
  assert.deepEqual(on('127.0.0.1').trustedProxies, []);
  assert.deepEqual(
    on('127.0.0.1', { TRUSTED_PROXIES: ' 10.0.0.1,fd00::/8 , ::1,' }).trustedProxies,
    ['10.0.0.1', 'fd00::/8', '::1'],
  );
  assert.equal(
    on('', { TRUSTED_PROXIES: '10.0.0.0/8,fc00::/7,::ffff:10.0.0.1' }).trustedProxies.length,
    3,
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
    '0.0.0.0/0',
    '0.0.0.0/1,128.0.0.0/1',
    '10.0.0.1, 1.2.3.4/0',
    '::/0',
    '2000::/3',
    '2000::/7',
    '::ffff:0:0/96',
    '::ffff:10.0.0.0/104',
  ])
    assert.throws(
      () => on('127.0.0.1', { TRUSTED_PROXIES: list }),
      /^Error: TRUSTED_PROXIES is /,
      list,
    );
});
