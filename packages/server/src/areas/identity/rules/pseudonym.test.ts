// Pseudonyms of closed accounts: their form, and that none looks like another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReservedUsername } from './reserved-usernames.ts';
import { newPseudonym } from './pseudonym.ts';
import { canonicalUsername, usernameSkeleton } from './username.ts';

test('a pseudonym is a canonical username that no one can register', () => {
  for (let count = 0; count < 200; count += 1) {
    const name = newPseudonym();
    assert.match(name, /^closed-[a-z2-9]{8}$/);
    assert.deepEqual(canonicalUsername(name), { ok: true, username: name });
    assert.ok(isReservedUsername(name));
  }
});

test('two pseudonyms with one skeleton are one pseudonym', () => {
  const bySkeleton = new Map<string, string>();
  for (let count = 0; count < 5_000; count += 1) {
    const name = newPseudonym();
    const skeleton = usernameSkeleton(name);
    assert.equal(bySkeleton.get(skeleton) ?? name, name);
    bySkeleton.set(skeleton, name);
  }
});
