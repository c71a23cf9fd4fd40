// The lock file must hold every optional dependency, or `npm ci` refuses it on a fresh clone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { missingFrom } from './complete-lock.ts';
import type { Lock } from './complete-lock.ts';

test('package-lock.json is complete; else run `node scripts/complete-lock.ts`', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8');
  const { entries, unknown } = missingFrom(JSON.parse(text) as Lock);
  assert.deepEqual([...Object.keys(entries), ...unknown], []);
  assert.doesNotMatch(text, /"resolved": "http/, 'no registry host stands in the file');
});

test('what is missing is locked at its version for its platform', () => {
  const lock: Lock = {
    packages: {
      '': {},
      'node_modules/tool': {
        dev: true,
        optionalDependencies: {
          '@tool/binding-linux-x64-musl': '1.2.3',
          '@tool/win32-arm64': '1.2.3',
          '@tool/here': '1.2.3',
          '@tool/strange': '1.2.3',
        },
      },
      'node_modules/@tool/here': { version: '1.2.3' },
    },
  };
  assert.deepEqual(missingFrom(lock), {
    entries: {
      'node_modules/@tool/binding-linux-x64-musl': {
        version: '1.2.3',
        cpu: ['x64'],
        dev: true,
        libc: ['musl'],
        optional: true,
        os: ['linux'],
      },
      'node_modules/@tool/win32-arm64': {
        version: '1.2.3',
        cpu: ['arm64'],
        dev: true,
        optional: true,
        os: ['win32'],
      },
    },
    unknown: ['@tool/strange@1.2.3'],
  });
});
