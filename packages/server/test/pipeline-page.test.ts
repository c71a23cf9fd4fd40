// The table of the pipeline in docs/architecture.md names every subscriber that a worker knows, and no other.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from '#database';
import { startServer } from './harness.ts';
import { until } from './throw-away-database.ts';

const page = join(import.meta.dirname, '../../../docs/architecture.md');
const server = await startServer({}, {}, { drawsAhead: true });
after(() => server[Symbol.asyncDispose]());

async function tasks(): Promise<readonly string[]> {
  const rows = await server.db.rows(sql<{ identifier: string }>`
    select identifier
    from graphile_worker._private_tasks
    order by identifier`);
  return rows.map(({ identifier }) => identifier);
}

test('every subscriber is in the row of its message, and recurring jobs are below', async () => {
  await until('the worker has told what it knows', async () => (await tasks()).length > 0);
  const text = await readFile(page, 'utf8');
  const section = /## The pipeline\n(?<body>[\s\S]*?)\n## /.exec(text)?.groups?.['body'] ?? '';
  const written = section
    .split('\n')
    .flatMap((line) => {
      const type = /^\| `(?<type>[a-z]+\.[a-z]+)`/.exec(line)?.groups?.['type'];
      const kind = type ?? (line.startsWith('By the clock') ? 'recurring' : undefined);
      const cells = type === undefined ? line : line.split('|').slice(3).join('|');
      const names = [...cells.matchAll(/`(?<name>[a-z][A-Za-z]+)`/g)];
      return kind === undefined ? [] : names.map((one) => `${kind}:${one.groups?.['name']}`);
    })
    .toSorted();
  assert.deepEqual(written, (await tasks()).toSorted());
});
