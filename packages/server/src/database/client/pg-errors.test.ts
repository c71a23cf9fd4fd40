// Tests of errors as PostgreSQL and the coordinator of a Citus cluster report them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConnectionLost, isStalePlan, violatedConstraint } from './pg-errors.ts';

function errorOf(code: string, message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), { code, severity: 'ERROR', ...fields });
}

test('a constraint is named by its field, or by the message where there is none', () => {
  const shard = 'duplicate key value violates unique constraint "usernames_skeleton_pkey_102008"';
  assert.equal(violatedConstraint(errorOf('23505', shard)), 'usernames_skeleton_pkey');
  assert.equal(
    violatedConstraint(errorOf('23505', shard, { constraint: 'usernames_skeleton_pkey_102008' })),
    'usernames_skeleton_pkey',
  );
  const key =
    'insert or update on table "revisions_102171" violates foreign key constraint "revisions_held_hash_fkey_102171"';
  assert.equal(violatedConstraint(errorOf('23503', key)), 'revisions_held_hash_fkey');
  const check =
    'new row for relation "quota_uses_102300" violates check constraint "quota_uses_used_check"';
  assert.equal(violatedConstraint(errorOf('23514', check)), 'quota_uses_used_check');
  const german = 'doppelter Schlüsselwert verletzt Unique-Constraint »edges_dst_key_key_102044«';
  assert.equal(violatedConstraint(errorOf('23505', german)), 'edges_dst_key_key');
  // INSERT … SELECT over the coordinator loses the code.
  assert.equal(violatedConstraint(errorOf('XX000', shard)), 'usernames_skeleton_pkey');
});

test('no constraint: another error of the server, a message without one, or an error of a client', () => {
  assert.equal(violatedConstraint(errorOf('XX000', 'cache lookup failed for type 1')), undefined);
  assert.equal(
    violatedConstraint(errorOf('23502', 'null value in column "id" violates not-null constraint')),
    undefined,
  );
  assert.equal(violatedConstraint(errorOf('42P01', 'relation "a_b_key" is missing')), undefined);
  assert.equal(violatedConstraint(new Error('violates "a_b_key"')), undefined);
});

test('0A000 is a stale plan only if its message says so: otherwise a retry fails in the same way', () => {
  assert.equal(isStalePlan(errorOf('0A000', 'cached plan must not change result type')), true);
  assert.equal(isStalePlan(errorOf('26000', 'prepared statement "a" does not exist')), true);
  assert.equal(isStalePlan(errorOf('0A000', 'cannot push down this subquery')), false);
});

test('a coordinator that lost a worker is as unavailable as a lost connection', () => {
  const lost = 'connection to the remote node postgres@db2:5432 failed';
  assert.equal(isConnectionLost(errorOf('08006', lost)), true);
  assert.equal(isConnectionLost(errorOf('XX000', lost)), false);
});

test('a host whose name is unknown for now is as unavailable as one that refuses', () => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED'])
    assert.ok(isConnectionLost(Object.assign(new Error(`getaddrinfo ${code} database`), { code })));
  assert.ok(!isConnectionLost(Object.assign(new Error('no file'), { code: 'EISDIR' })));
});

test('a connection that cannot be opened is as unavailable as one that is lost, whatever this machine lacks', () => {
  for (const code of ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENETUNREACH', 'EACCES', 'ENOBUFS'])
    assert.ok(
      isConnectionLost(Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' })),
      code,
    );
  const file = Object.assign(new Error('EMFILE, open'), { code: 'EMFILE', syscall: 'open' });
  assert.ok(!isConnectionLost(file));
});

test('a transaction that has lost a worker is a lost connection, whatever the code of the error', () => {
  const lost = 'failure on connection marked as essential: 10.0.0.2:5432';
  assert.ok(isConnectionLost(errorOf('XX000', lost)));
  assert.ok(isConnectionLost(errorOf('XX000', 'postmaster was shut down, exiting')));
  assert.ok(!isConnectionLost(errorOf('XX000', 'unexpected failure')));
  assert.ok(!isConnectionLost(new Error(lost)), 'not a message of the service');
});
