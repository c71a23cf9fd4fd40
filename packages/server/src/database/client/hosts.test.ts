// Several hosts of one database of which none answers: one wait for a primary, and no further attempt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { freePort } from '#http';
import { openHosts } from './hosts.ts';
import { isConnectionLost } from './pg-errors.ts';
import { retryPolicy } from './retry-policy.ts';

test('a request that has waited for a primary is answered, and does not wait again', async () => {
  const port = await freePort('127.0.0.1');
  const addresses = ['postgres', 'colophon'].map((user) => ({ host: '127.0.0.1', port, user }));
  const hosts = openHosts(addresses, assert.fail, 0);
  const error = await hosts.assign(new pg.Client()).then(
    () => assert.fail('nothing listens'),
    (reason: unknown) => reason,
  );
  assert.ok(isConnectionLost(error), 'it becomes 503');
  assert.equal(retryPolicy(1)(error), undefined);
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  assert.notEqual(retryPolicy(1)(refused), undefined, 'one host that refuses is asked again');
});
