// Tests of the rule for statements that every test obeys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPartlyNamed } from './require-buckets.ts';

test('a table whose bucket follows from another one only by way of a subquery is found', () => {
  const subquery =
    '(select bucket, id from b where bucket = $1 and (id = a.id or (id = a.other))) as r';
  assert.ok(
    isPartlyNamed(`select 1 from a cross join lateral ${subquery}
      join c on c.bucket = r.bucket where a.bucket = $1`),
  );
  assert.ok(isPartlyNamed('select 1 from a join b on b.bucket = x.bucket where a.bucket = $1'));
});

test('no fault is found where each table has its value, none has one, or all buckets are meant', () => {
  const texts = [
    'select 1 from a join b on b.bucket = a.bucket where a.bucket = $1',
    'select 1 from a join b on b.bucket = a.bucket and b.bucket = $1 where a.bucket = $1',
    'select 1 from a join b on b.bucket = a.bucket',
    '-- every bucket: a list\nselect 1 from a join b on b.bucket = x.bucket where a.bucket = $1',
  ];
  for (const text of texts) assert.ok(!isPartlyNamed(text), text);
});
