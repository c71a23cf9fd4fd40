// Tests of the address to which an answered form leads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortLocation } from './location.ts';

test('what a form repeats is left out where it is too long for a header', () => {
  const long = 'x'.repeat(100_000);
  assert.equal(shortLocation('/a?b=c#d'), '/a?b=c#d');
  assert.equal(shortLocation(`/a?b=c#${long}`), '/a?b=c');
  assert.equal(
    shortLocation(`/moderation/accounts?username=${long}&done=revoked#done`),
    '/moderation/accounts',
  );
  assert.equal(shortLocation(`/a?b=${long}#${long}\n?`), '/a');
});
