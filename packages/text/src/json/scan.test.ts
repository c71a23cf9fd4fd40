// Tests of the scanner: byte offsets and paths, which JSON input turns into text.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { scanJson } from './scan.ts';

test('finds nothing in a document within its limits', () => {
  assert.equal(
    scanJson(Buffer.from('{"a":[1,{"b":null}]}'), { maxDepth: 4, maxMembers: 7 }),
    undefined,
  );
});

test('limits are the caller’s: depth counts values, members count names and values', () => {
  const bytes = Buffer.from('{"a":[1,{"b":null}]}');
  assert.deepEqual(scanJson(bytes, { maxDepth: 3, maxMembers: 7 }), {
    kind: 'refused',
    code: 'too-deep',
    path: ['a', 1, 'b'],
  });
  assert.deepEqual(scanJson(bytes, { maxDepth: 4, maxMembers: 6 }), {
    kind: 'refused',
    code: 'too-many-members',
    path: ['a', 1, 'b'],
  });
  assert.equal(scanJson(Buffer.from('1'), { maxDepth: 1, maxMembers: 1 }), undefined);
  assert.equal(scanJson(Buffer.from('[1]'), { maxDepth: 1, maxMembers: 2 })?.kind, 'refused');
});

test('a path is right again after values that ended', () => {
  const finding = scanJson(Buffer.from('{"a":{"b":[[],[{}]]},"c":[{"d":1},"\\u0000"]}'), {
    maxDepth: 9,
    maxMembers: 99,
  });
  assert.deepEqual(finding, { kind: 'refused', code: 'nul', path: ['c', 1] });
});

test('broken grammar is found by its byte offset, at any depth', () => {
  const limits = { maxDepth: 2, maxMembers: 2 };
  assert.deepEqual(scanJson(Buffer.from('["é" 1]'), limits), {
    kind: 'grammar',
    at: 6,
    expected: 'a comma or ]',
  });
  const deep = `${'['.repeat(1000)}${']'.repeat(999)}}`;
  assert.deepEqual(scanJson(Buffer.from(deep), limits), {
    kind: 'grammar',
    at: 1999,
    expected: 'a comma or ]',
  });
});
