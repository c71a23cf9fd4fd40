// The audit chain: the hash covers every member of a row, its number and its predecessor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditHash, auditOrigin } from './audit.ts';

const entry = {
  actor: 'operator',
  action: 'grant',
  target_type: 'principal',
  target_id: '01M7Z3KJBG7YHCVKQDVW6J254D',
  details: { scopes: ['admin:manage'] },
  created_at: '2026-11-21T13:09:22.416Z',
};

test('the hash changes with every member, the number and the row before', () => {
  const hash = auditHash(entry, 1, auditOrigin.hash);
  const others = [
    auditHash({ ...entry, actor: 'somebody' }, 1, auditOrigin.hash),
    auditHash({ ...entry, action: 'trust' }, 1, auditOrigin.hash),
    auditHash({ ...entry, target_id: '01M7Z3KJBG7YHCVKQDVW6J254E' }, 1, auditOrigin.hash),
    auditHash({ ...entry, details: { scopes: ['admin:moderate'] } }, 1, auditOrigin.hash),
    auditHash({ ...entry, created_at: '2026-11-21T13:09:22.417Z' }, 1, auditOrigin.hash),
    auditHash(entry, 2, auditOrigin.hash),
    auditHash(entry, 1, hash),
  ];
  assert.equal(new Set([hash, ...others]).size, others.length + 1);
});

test('the order in which members were written does not change the hash', () => {
  const turned = Object.fromEntries(Object.entries(entry).reverse()) as typeof entry;
  assert.equal(auditHash(turned, 1, auditOrigin.hash), auditHash(entry, 1, auditOrigin.hash));
});
