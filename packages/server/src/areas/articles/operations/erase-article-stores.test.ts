// POST /v1/articles/{id}/erase on its own server: no table, file or log line contains the text afterwards.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { makePlace } from '#test/faults/server-process';
import type { Place, ServerProcess } from '#test/faults/server-process';
import { ledgerCount } from '#test/ledgers';
import { until } from '#test/throw-away-database';
import { textStores } from '#test/text-stores';

/** A word that occurs nowhere else and that no stemmer changes. */
const marker = 'quombatrix';

let place: Place;
let running: ServerProcess;
let database: pg.Client;

before(async () => {
  place = await makePlace();
  running = place.start({ LOG_LEVEL: 'trace' });
  await running.ready(place.baseUrl);
  database = await place.connect();
});
after(async () => {
  await database.end();
  await place[Symbol.asyncDispose]();
});

interface Told {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

async function ask(method: string, path: string, body?: object, token?: string): Promise<Told> {
  const response = await fetch(place.baseUrl + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Told['body'] };
}

/** `column` is `t` for the whole row. */
async function holdsMarker(table: string, column: string): Promise<boolean> {
  const hits = await database.query(
    `select 1 from ${table} as t where ${column}::text ilike $1 limit 1`,
    [`%${marker}%`],
  );
  return hits.rowCount !== 0;
}

/** Returns all tables whose rows contain the word, including catalogues and the job queue. */
async function tablesWithMarker(): Promise<string[]> {
  const { rows } = await database.query<{ name: string; schema: string }>(`
    select table_name as name, table_schema as schema
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    order by table_schema, table_name`);
  assert.ok(rows.length > 15);
  const found: string[] = [];
  for (const { name, schema } of rows) {
    if (await holdsMarker(`"${schema}"."${name}"`, 't')) found.push(name);
  }
  return found;
}

/** Returns the files in the data folder that contain the word; the write-ahead log is reported separately. */
async function filesWithMarker(pattern: string): Promise<string[]> {
  const found: string[] = [];
  for (const file of globSync(pattern, { cwd: place.dataDir, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const bytes = await readFile(join(file.parentPath, file.name)).catch(() => Buffer.alloc(0));
    if (bytes.toString('latin1').toLowerCase().includes(marker)) found.push(file.name);
  }
  return found;
}

function pictures(): readonly string[] {
  return globSync('media/[0-9a-f][0-9a-f][0-9a-f]/*', { cwd: place.dataDir });
}

test('200, and of a word that stood in every place not one copy is left', async () => {
  const { body: human } = await ask('POST', '/v1/humans', { username: 'an-author' });
  const token = human['token'] ?? '';
  const text = (round: string) => ({
    title: `Quombatrix ${round}`,
    content: `# A quombatrix heading\n\nSome quombatrix text, ${round}. <!-- quombatrix -->`,
    metadata: { topics: ['Quombatrix'], note: `quombatrix ${round}` },
  });
  const made = await ask(
    'POST',
    '/v1/articles',
    { ...text('first'), canonical_url: 'https://example.org/quombatrix' },
    token,
  );
  assert.equal(made.status, 201);
  const { id = '', revision_id = '' } = made.body;
  const path = `/v1/articles/${id}`;
  const revised = await ask(
    'POST',
    `${path}/revisions`,
    { ...text('second'), expected_revision_id: revision_id },
    token,
  );
  assert.equal(revised.status, 201);
  assert.equal((await ask('POST', `${path}/publish`, {}, token)).status, 200);
  const stores = textStores.map(({ table }) => table).toSorted();
  let found: readonly string[] = [];
  await until('every store contains the word', async () => {
    found = await tablesWithMarker();
    return stores.every((table) => found.includes(table));
  }).catch(() => undefined);
  assert.deepEqual(found, stores, 'the list names every table with text of articles, and no other');
  for (const { table, columns } of textStores) {
    for (const column of columns)
      assert.ok(await holdsMarker(`"${table}"`, `"${column}"`), `${table}.${column}`);
  }
  // The share image contains the title as pixels.
  await until('the image is kept', () => pictures().length > 0);
  await database.query('checkpoint');
  assert.notDeepEqual(await filesWithMarker('postgres/base/**'), []);

  const erased = await ask('POST', `${path}/erase`, { confirm: 'erase' }, token);
  assert.equal(erased.status, 200);
  const late = textStores.filter(({ when }) => when !== 'at once').map(({ table }) => table);
  assert.deepEqual(
    (await tablesWithMarker()).filter((table) => !late.includes(table)),
    [],
  );
  await until('the subscribers are done', async () => (await tablesWithMarker()).length === 0);
  await until('the image is gone', () => pictures().length === 0);
  // What autovacuum does in time: reuse the rows' space and collect new statistics.
  await database.query('vacuum (full, analyze)');
  await database.query('checkpoint');
  assert.deepEqual(await filesWithMarker('postgres/base/**'), []);
  assert.deepEqual(await filesWithMarker('*'), []);
  assert.deepEqual(await filesWithMarker('media/**'), []);
  assert.ok(running.log.length > 3);
  assert.deepEqual(
    running.log.filter((line) => JSON.stringify(line).toLowerCase().includes(marker)),
    [],
  );
  assert.equal(await ledgerCount(join(place.dataDir, 'media'), id), 1);
});
