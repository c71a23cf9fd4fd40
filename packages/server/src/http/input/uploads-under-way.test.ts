// Tests of the bytes that running uploads announce: for an account, for an address, and what their end returns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uploadsAtOnce } from '@colophon/contract';
import { openUploadsUnderWay } from './uploads-under-way.ts';

const { accountBytes, addressBytes } = uploadsAtOnce;

test('an account has a limit of its own, whatever its addresses; what ended is returned', () => {
  const uploads = openUploadsUnderWay({ off: false });
  const open = (address: string) => uploads.open({ address, account: 'ann' });
  const first = open('a');
  first.add(accountBytes - 10);
  const second = open('b');
  second.add(10);
  const third = open('c');
  assert.throws(() => third.add(1), { problem: 'rate-limited' });
  third[Symbol.dispose]();
  second[Symbol.dispose]();
  const fourth = open('c');
  fourth.add(10);
  uploads.open({ address: 'a', account: 'ben' }).add(accountBytes);
});

test('many accounts of an address have a limit together', () => {
  const uploads = openUploadsUnderWay({ off: false });
  const accounts = Array.from({ length: addressBytes / accountBytes }, (_, n) => `account ${n}`);
  for (const account of accounts) uploads.open({ address: 'a', account }).add(accountBytes);
  const late = uploads.open({ address: 'a', account: 'late' });
  assert.throws(() => late.add(1), { problem: 'rate-limited' });
  uploads.open({ address: 'b', account: 'late' }).add(1);
});

test('with limits switched off, nothing is counted', () => {
  const uploads = openUploadsUnderWay({ off: true });
  const open = uploads.open({ address: 'a', account: 'ann' });
  open.add(addressBytes * 2);
  open.add(addressBytes * 2);
});
