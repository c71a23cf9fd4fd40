// Tests of the rule which tables are distributed, and of migrations in a distributed database.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lacksCitus } from '#test/citus/one-server';
import { migratedClone } from '#test/migrated-clone';
import { distribute } from './distribute.ts';
import { withDistribution, localTables } from './tables.ts';

test('every table has a bucket and is distributed, or is in the list of those that stay', async () => {
  await using clone = await migratedClone();
  const tables = await clone.ask<{ name: string; bucketed: boolean }>(`
    select c.relname as name, exists (
      select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'bucket'
    ) as bucketed
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'f')`);
  assert.ok(tables.length > 50);
  const others = tables.filter(({ bucketed }) => !bucketed).map(({ name }) => name);
  assert.deepEqual(others, localTables);
});

test('a new table of a migration is distributed before the statements behind it', () => {
  const text = `-- What it is for; and why.
create table marks (
  bucket smallint not null,
  note text not null default 'a; b' -- create table not_this (
);
alter table marks add constraint marks_id_fkey foreign key (bucket, id) references articles (bucket, id);
do $$ begin perform 1; end $$;
`;
  const statements = withDistribution(text).map((statement) => statement.trim().split('\n').at(0));
  assert.deepEqual(statements, [
    '-- What it is for; and why.',
    "select create_distributed_table('public.marks', 'bucket', colocate_with => 'public.principals')",
    'alter table marks add constraint marks_id_fkey foreign key (bucket, id) references articles (bucket, id)',
    'do $$ begin perform 1; end $$',
  ]);
});

test(
  'a database without the extension is refused in one sentence, and nothing is changed',
  lacksCitus,
  async () => {
    await using clone = await migratedClone();
    await assert.rejects(
      distribute(clone.connection, 4, () => undefined),
      /^Error: The database has no extension citus: install Citus on every server, .*\.$/,
    );
    const [keys] = await clone.ask<{ count: number }>(
      "select count(*)::integer as count from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace",
    );
    assert.ok((keys?.count ?? 0) > 10);
  },
);
