// Tests of which hosts are loopback hosts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopback } from './loopback.ts';

test('loopback addresses in every spelling, and nothing else', () => {
  for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '::1', '[::1]', '::ffff:127.0.0.1'])
    assert.equal(isLoopback(host), true, host);
  for (const host of [
    '',
    '128.0.0.1',
    '10.0.0.1',
    '127.example.org',
    '::',
    '::ffff:10.0.0.1',
    'localhost.example.org',
  ])
    assert.equal(isLoopback(host), false, host);
});
