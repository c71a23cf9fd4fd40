// Tests of what is stored of a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceOf, networkOf } from './browsers.ts';

test('a network is as much of an address as helps to recognize it', () => {
  const networks = {
    '192.0.2.77': '192.0.2.0/24',
    '2001:db8:1:2::/64': '2001:db8:1::/48',
    '::ffff:192.0.2.77': '192.0.2.0/24',
    '::1': '::/48',
    '': null,
    unknown: null,
  };
  for (const [address, network] of Object.entries(networks))
    assert.equal(networkOf(address), network, address);
});

test('a device is named by browser and system, or called unknown', () => {
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
  assert.equal(deviceOf(safari), 'Safari on iOS');
  assert.equal(deviceOf('curl/8.0'), 'Unknown browser');
  for (const agent of [undefined, '', '('.repeat(100_000), 'Mozilla/5.0 '.repeat(10_000)])
    assert.equal(typeof deviceOf(agent), 'string');
});
