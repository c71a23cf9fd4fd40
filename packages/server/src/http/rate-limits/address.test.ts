// Tests of the address that a request counts for: trusted proxies only, one client per IPv6 /64.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressReader } from './address.ts';

const readAddress = (trusted: readonly string[], remoteAddress: string, forwarded?: string) =>
  addressReader(trusted)({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });

const proxies = ['10.0.0.0/8', '::1', 'fd00::/8'];

const cases: readonly (readonly [readonly string[], string, string | undefined, string])[] = [
  // Without trusted proxies the header is ignored.
  [[], '203.0.113.7', undefined, '203.0.113.7'],
  [[], '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  [[], '::ffff:203.0.113.7', '198.51.100.1', '203.0.113.7'],
  [[], '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  [[], '2001:db8:1:2:ffff::1', undefined, '2001:db8:1:2::/64'],
  [[], '2001:db8:1:3::1', undefined, '2001:db8:1:3::/64'],
  [[], 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
  // Not from a proxy.
  [proxies, '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  [proxies, '11.0.0.1', '198.51.100.1', '11.0.0.1'],
  // From a proxy or a chain of them: the nearest untrusted address counts.
  [proxies, '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  [proxies, '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  [proxies, '::1', '198.51.100.1,10.9.9.9', '198.51.100.1'],
  [proxies, 'fd00::2', '2001:db8:1:2::9', '2001:db8:1:2::/64'],
  // Entries that the client added in front are ignored.
  [proxies, '10.1.2.3', '1.1.1.1, 10.0.0.5, 198.51.100.1', '198.51.100.1'],
  [proxies, '10.1.2.3', '10.0.0.1, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  [proxies, '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
  // With ports, which some proxies add.
  [proxies, '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
  [proxies, '10.1.2.3', '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
  // An entry that is not an address ends the chain at the last valid one.
  [proxies, '10.1.2.3', 'unknown', '10.1.2.3'],
  [proxies, '10.1.2.3', '', '10.1.2.3'],
  [proxies, '10.1.2.3', ',', '10.1.2.3'],
  [proxies, '10.1.2.3', '198.51.100.1, x, 10.0.0.2', '10.0.0.2'],
  [proxies, '10.1.2.3', '127.1', '10.1.2.3'],
];

for (const [trusted, remote, forwarded, expected] of cases) {
  test(`${remote}, forwarded for ${JSON.stringify(forwarded ?? null)}, ${trusted.length} trusted: ${expected}`, () => {
    assert.equal(readAddress(trusted, remote, forwarded), expected);
  });
}
