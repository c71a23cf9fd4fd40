// Tests of the user ids of the service's parts: each has its own, which no account has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsIn, inOwnRange, ownIdOf } from './own-user.ts';

test('each part of any data folder has an id of its own, the same each time, which no user has', () => {
  for (let at = 0; at < 6000; at += 1) {
    const dataDir = `/srv/${at}`;
    const free = ownIdOf('drawing', dataDir, new Set());
    const taken = new Set([free, 1000]);
    const ids = (['database', 'images', 'drawing'] as const).map((part) =>
      ownIdOf(part, dataDir, taken),
    );
    assert.equal(new Set([...ids, ...taken]).size, 5, dataDir);
    assert.ok(ids.every(inOwnRange));
    assert.equal(ownIdOf('drawing', dataDir, taken), ids[2]);
  }
});

test('ids are read from lists of users and of groups, whatever else stands there', () => {
  const users =
    '# macOS\nroot:x:0:0:root:/root:/bin/sh\nnobody:*:-2:-2::/:/bin/false\nann:x:61184:100::/:\n\n+::::::\n';
  assert.deepEqual(idsIn(users, 'dynamic:x:61185:\nbroken'), new Set([0, 61_184, 100, 61_185]));
});
