// The composition of where clauses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenGiven, nothing, sql } from './sql.ts';

test('a where clause has the given conditions, each with its own parameters', () => {
  const kind: string | undefined = undefined;
  const before: string | undefined = 'b';
  const statement = sql`
    select id from edges
    ${sql.where([
      sql`bucket = ${1} and id = ${'a'}`,
      whenGiven(kind, (name: string) => sql`kind = ${name}`),
      whenGiven(before, (id) => sql`id < ${id}`),
    ])}
    limit ${2}`;
  assert.equal(
    statement.text.replaceAll(/\s+/g, ' ').trim(),
    'select id from edges where bucket = $1 and id = $2 and id < $3 limit $4',
  );
  assert.deepEqual(statement.values, [1, 'a', 'b', 2]);
});

test('without conditions there is no where clause', () => {
  assert.equal(sql.where([]), nothing);
  assert.equal(sql.where([undefined]), nothing);
});

test('a condition is made only for a value; false, null and an empty text are values', () => {
  for (const value of [false, null, '', 0])
    assert.deepEqual(whenGiven<unknown>(value, (known) => sql`a = ${known}`)?.values, [value]);
});
