// Tests of reserved usernames and of the order of the list.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { isReservedUsername } from './reserved-usernames.ts';

test('reserved names and whatever looks like them', () => {
  const reserved = [
    'admin',
    'adm1n',
    'adrnin',
    'root',
    'r00t',
    'www',
    'vvww',
    'vvvvvv',
    'api',
    'ap1',
    'support',
    'moderator',
    'rn0derat0r',
    'colophon',
    'c0l0ph0n',
    'no-reply',
    'no_reply',
    'staff',
    'help',
    'about',
    'login',
    'settings',
    'media',
    'feed',
    'search',
    'topics',
    'docs',
    'errors',
    'v1',
    'healthz',
    'closed-1a2b3c4d',
    'c1osed_x',
  ];
  for (const username of reserved) assert.equal(isReservedUsername(username), true, username);
});

test('ordinary names are free', () => {
  for (const username of [
    'ada',
    'grace-hopper',
    'administrate',
    'apis',
    'disclosed',
    'closet',
    'mediator',
    'modest',
    'roots',
  ]) {
    assert.equal(isReservedUsername(username), false, username);
  }
});

test('the list is sorted, one canonical name a line, without repetitions', async () => {
  const source = await readFile(new URL('reserved-usernames.ts', import.meta.url), 'utf8');
  const names = /`\n([^`]+)\n`/.exec(source)?.[1]?.split('\n') ?? [];
  assert.ok(names.length > 150);
  assert.deepEqual(names, [...new Set(names)].toSorted());
  for (const name of names) assert.match(name, /^[a-z0-9][a-z0-9-]*[a-z0-9]$/);
});
