// CSV: the header line, and combinations quoted where necessary.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from './csv.ts';

test('a line of names, a line for each row, and CR LF after each', () => {
  const rows = [
    { name: 'one', count: 1, done: true, left: null },
    { name: 'two', count: 2, done: false, left: 'x' },
  ];
  assert.equal(
    csvOf(['name', 'count', 'done', 'left'], rows),
    'name,count,done,left\r\none,1,true,\r\ntwo,2,false,x\r\n',
  );
  assert.equal(csvOf(['name'], []), 'name\r\n');
});

test('what a spreadsheet would compute is a text, and a number stays one', () => {
  const rows = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'].map((text) => ({
    text,
    count: -1,
  }));
  const written = csvOf(['text', 'count'], rows).split('\r\n').slice(1, -1);
  assert.deepEqual(written, [
    `'=1+1,-1`,
    `'+1,-1`,
    `'-1,-1`,
    `'@SUM(A1),-1`,
    `'\t=1,-1`,
    `"'\r=1",-1`,
  ]);
});

test('what would end a combination is quoted', () => {
  const rows = ['a,b', 'say "so"', 'two\r\nlines', 'plain'].map((text) => ({ text }));
  assert.equal(
    csvOf(['text'], rows),
    'text\r\n"a,b"\r\n"say ""so"""\r\n"two\r\nlines"\r\nplain\r\n',
  );
});
