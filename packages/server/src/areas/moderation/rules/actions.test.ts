// Effects of several actions in sequence, and of actions on deleted accounts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModerationAction, ModerationSource, TargetType } from '@colophon/contract';
import type { LockedTarget, Moderated } from '#lib/moderated';
import { stateAfter, requestFaults } from './actions.ts';

const at = '2026-11-21T09:30:00.000Z';
const earlier = '2026-11-20T09:30:00.000Z';
const plain: Moderated = {
  status: 'published',
  deindexed: false,
  removed_at: null,
  removed_legally: false,
  reason_code: null,
};
const removed: Moderated = {
  ...plain,
  status: 'removed',
  removed_at: earlier,
  reason_code: 'spam',
};

const lockTarget = (state: Moderated, own: Partial<LockedTarget> = {}): LockedTarget => ({
  ...state,
  author_id: 'author',
  owner_principal_id: null,
  own_status: 'published',
  own_removed_at: null,
  ...own,
});

const request = (
  action: ModerationAction,
  source: ModerationSource = 'proactive',
  targetType: TargetType = 'article',
) => ({ targetType, action, source, reasonCode: 'spam' as const, at });

test('a restoration leads back to what was before the first removal that is in force', () => {
  const legal = { ...removed, removed_legally: true };
  const restore = request('restore', 'legal');
  assert.deepEqual(stateAfter(restore, lockTarget(legal), plain), plain);
  const own = { ...removed, reason_code: null };
  assert.deepEqual(stateAfter(restore, lockTarget({ ...legal, removed_at: at }), own), own);
});

test('a restoration of what the account was closed over shows nothing again', () => {
  const closed = { own_status: 'unpublished', own_removed_at: at };
  assert.deepEqual(stateAfter(request('restore'), lockTarget(removed, closed), plain), {
    ...plain,
    status: 'unpublished',
    removed_at: at,
  });
});

test('media whose bytes are gone stay removed, and lose what moderators and the law said of them', () => {
  const gone = { own_status: 'removed', own_removed_at: earlier };
  const restore = request('restore', 'legal', 'media');
  const left = { ...plain, status: 'removed', removed_at: earlier };
  const ready = { ...plain, status: 'ready' };
  assert.deepEqual(stateAfter(restore, lockTarget(removed, gone), ready), left);
  const legal = lockTarget({ ...removed, removed_legally: true }, gone);
  assert.deepEqual(stateAfter(restore, legal, ready), left);
  assert.equal(stateAfter(restore, lockTarget(left, gone), undefined), undefined);
});

test('an agent whose owner closed the account stays suspended', () => {
  const restore = request('restore', 'proactive', 'principal');
  const agent = lockTarget({ ...plain, status: 'suspended' }, { own_status: 'suspended' });
  assert.equal(stateAfter(restore, agent, undefined), undefined);
  const listed = stateAfter(restore, { ...agent, deindexed: true }, undefined);
  assert.deepEqual(listed, { ...plain, status: 'suspended' });
});

test('a removal keeps that the target is de-indexed, and says when and why', () => {
  const after = stateAfter(request('remove'), lockTarget({ ...plain, deindexed: true }), undefined);
  assert.equal(after?.deindexed, true);
  assert.deepEqual([after?.status, after?.removed_at, after?.reason_code], ['removed', at, 'spam']);
});

test('an appeal is named only with the source appeal', () => {
  const body = { target_type: 'article', action: 'restore', appeal_id: '0'.repeat(26) } as const;
  const pointers = (source: 'appeal' | 'proactive') =>
    requestFaults({ ...body, source }).map(({ pointer }) => pointer);
  assert.deepEqual(pointers('appeal'), []);
  assert.deepEqual(pointers('proactive'), ['/appeal_id']);
});

test('both faults of a body are told at once', () => {
  const faults = requestFaults({ target_type: 'comment', action: 'suspend', source: 'appeal' });
  assert.deepEqual(
    faults.map(({ pointer }) => pointer),
    ['/action', '/source'],
  );
});
