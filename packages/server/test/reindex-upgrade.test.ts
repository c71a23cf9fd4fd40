// After an upgrade: what an older version derived is rebuilt by itself, once, and a fresh database is left alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { sql } from '#database';
import type { Rebuilding } from '#reindex';
import { rebuilding } from '#subscribers';
import { listRebuildStates, startReindexing } from '#reindex';
import { comment } from './comments.ts';
import { assertSame, snapshotOf, truncateDerived } from './derived-tables.ts';
import { untilSettled } from './edges.ts';
import { startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { operate } from './operator.ts';
import { until } from './throw-away-database.ts';

const articles = 9;

let server: TestServer;
let owner: pg.Client;
before(async () => {
  server = await startServer();
  owner = new pg.Client(server.services.connection);
  await owner.connect();
  const human = await server.register();
  for (let index = 0; index < articles; index += 1) {
    const { id } = await server.published(human, {
      title: `The ${index}th hedgehog`,
      metadata: { topics: ['Hedgehogs', `Topic ${index % 3}`] },
    });
    await comment(server, human, id);
  }
  await untilSettled(server);
});
after(async () => {
  await owner.end();
  await server[Symbol.asyncDispose]();
});

interface Line {
  readonly level: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A process that starts on the database: what it rebuilds, and what it logs. */
function start(kinds: readonly Rebuilding[] = rebuilding, on: TestServer = server) {
  const made: string[] = [];
  const lines: Line[] = [];
  const write = (level: string) => (fields: object, said: string) =>
    void lines.push({ level, text: said, fields: { ...fields } });
  const log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  const counting = kinds.map((kind) => ({
    ...kind,
    rebuild: async (...asked: Parameters<Rebuilding['rebuild']>) => {
      made.push(`${kind.name} ${asked[0]}`);
      await kind.rebuild(...asked);
    },
  }));
  const { db, now, connection } = on.services;
  const running = startReindexing(counting, { db, now, connection, log, retries: [10, 20, 30] });
  const { ended } = running;
  return { made, lines, ended, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

const isDone = async (kinds: readonly Rebuilding[] = rebuilding, on: TestServer = server) =>
  (await listRebuildStates(on.db, kinds)).every(({ made }) => made);
const untilRebuilt = (kinds: readonly Rebuilding[] = rebuilding) =>
  until('all is rebuilt', () => isDone(kinds));

/** As the migration leaves a database that an older version has filled. */
async function asOlder(): Promise<void> {
  await truncateDerived(owner);
  await owner.query('truncate derived_versions, reindex_progress');
  await owner.query("update contents set excerpt = 'As an older version made it.'");
}

async function excerptsNow(): Promise<readonly string[]> {
  const { rows } = await owner.query<{ excerpt: string }>('select distinct excerpt from contents');
  return rows.map(({ excerpt }) => excerpt);
}

async function figure(name: string): Promise<number> {
  const { body } = await server.ask('GET', '/metrics');
  return Number(new RegExp(`^colophon_reindex_${name} (\\d+)$`, 'm').exec(String(body))?.[1]);
}

/** Several requests share one look at the database. */
const figureIs = (name: string, value: number) =>
  until(`${name} is ${value}`, async () => (await figure(name)) === value);

const admin = (...args: string[]) => operate(server, ...args);

const startsIn = ({ lines }: { readonly lines: readonly Line[] }) =>
  lines.filter(({ text: said }) => said.includes('Started to rebuild'));

test('everything is there again, it is told, and the next start does nothing', async () => {
  const before = await snapshotOf(owner);
  delete (before as Record<string, unknown>)['og_images'];
  await asOlder();
  await figureIs('kinds_due', rebuilding.length);
  assert.match((await admin('doctor')).out, /WRONG derived rows.*search.*Start a process/);
  {
    await using upgraded = start();
    await untilRebuilt();
    assert.deepEqual(
      startsIn(upgraded).map(({ fields }) => fields['what']),
      [
        'search',
        'comments',
        'principals',
        'feed',
        'topics',
        'sitemap',
        'sitemap-files',
        'excerpts',
        'log-articles',
      ],
    );
    assert.deepEqual(
      upgraded.lines.filter(({ level }) => level === 'warn' || level === 'error'),
      [],
    );
  }
  assertSame(await snapshotOf(owner), before);
  assert.deepEqual(await excerptsNow(), ['Some text to read.']);
  await figureIs('kinds_due', 0);
  await figureIs('rows_failed', 0);
  assert.match((await admin('doctor')).out, /ok {4}derived rows +all rows are from this version/);
  await using again = start();
  await again.ended;
  assert.deepEqual([again.made, again.lines], [[], []]);
});

test('processes that start at once make each row once', async () => {
  await asOlder();
  await using one = start();
  await using two = start();
  await using three = start();
  await untilRebuilt();
  const made = [one, two, three].flatMap((process) => process.made);
  const search = made.filter((row) => row.startsWith('search '));
  assert.equal(search.length, articles);
  assert.equal(new Set(made).size, made.length);
});

test('of a newer version only what it makes in another way is rebuilt, and an older one leaves it', async () => {
  await untilRebuilt();
  const newer = rebuilding.map((kind) =>
    kind.name === 'sitemap' ? { ...kind, version: kind.version + 1 } : kind,
  );
  {
    await using upgraded = start(newer);
    await untilRebuilt(newer);
    assert.equal(upgraded.made.length, articles);
    assert.ok(upgraded.made.every((row) => row.startsWith('sitemap ')));
  }
  await using older = start();
  await older.ended;
  assert.deepEqual(older.made, []);
  await owner.query("update derived_versions set version = version - 1 where name = 'sitemap'");
});

test('the progress of another version is not gone on from', async () => {
  await asOlder();
  const { rows } = await owner.query<{ id: string }>('select max(id) as id from articles');
  await owner.query(
    `insert into reindex_progress (bucket, name, version, after_id, done, updated_at)
     values (0, 'sitemap', 0, $1, 8, now())`,
    [rows[0]?.id],
  );
  await using upgraded = start();
  await untilRebuilt();
  const placed = upgraded.made.filter((row) => row.startsWith('sitemap '));
  assert.equal(placed.length, articles);
});

test('a lost connection ends nothing: it goes on from where it was', async () => {
  await asOlder();
  const cut = Promise.withResolvers<void>();
  const waiting = rebuilding.map((kind) => ({
    ...kind,
    rebuild: async (...asked: Parameters<Rebuilding['rebuild']>) => {
      if (upgraded.made.length > 2) await cut.promise;
      await kind.rebuild(...asked);
    },
  }));
  await using upgraded = start(waiting);
  await until('some are made', () => upgraded.made.length > 2);
  const { rows } = await owner.query<{ pid: number }>(
    "select pid, pg_terminate_backend(pid) from pg_stat_activity where application_name = 'colophon-reindex' and datname = current_database()",
  );
  assert.equal(rows.length, 1);
  await until('it is lost', async () => {
    const left = await owner.query(
      'select from pg_stat_activity where datname = current_database() and pid = $1',
      [rows[0]?.pid],
    );
    return left.rowCount === 0;
  });
  cut.resolve();
  await untilRebuilt();
  assert.ok(upgraded.lines.some(({ level }) => level === 'warn'));
});

test('a row that cannot be made is tried again, named and counted; the rest is made', async () => {
  await asOlder();
  const { rows } = await owner.query<{ id: string }>('select min(id) as id from articles');
  const id = rows[0]?.id ?? '';
  await owner.query(
    `alter table sitemap_entries add constraint sitemap_entries_trial_check check (article_id <> '${id}')`,
  );
  {
    await using upgraded = start();
    await untilRebuilt();
    const attempts = upgraded.made.filter((row) => row === `sitemap ${id}`).length;
    assert.equal(attempts, 4);
    const [named, ended, ...rest] = upgraded.lines.filter(({ level }) => level === 'error');
    assert.deepEqual([named?.fields['what'], named?.fields['id']], ['sitemap', id]);
    assert.match(ended?.text ?? '', /correct the cause, then run admin reindex/);
    assert.equal(ended?.fields['what'], 'sitemap');
    assert.deepEqual(rest, []);
  }
  const count = async () =>
    (await server.db.first(sql<{ n: number }>`select count(*) as n from sitemap_entries`))?.n;
  assert.equal(await count(), articles - 1);
  await figureIs('rows_failed', 1);
  const wrong = await admin('doctor');
  assert.equal(wrong.code, 1);
  assert.match(wrong.out, /WRONG derived rows +sitemap: .*run reindex sitemap/);

  await owner.query('alter table sitemap_entries drop constraint sitemap_entries_trial_check');
  assert.equal((await admin('reindex', 'sitemap')).code, 0);
  assert.equal(await count(), articles);
  assert.equal((await admin('doctor')).code, 0);
});

test('a fresh database: nothing is due, and nothing is made for a version that came later', async () => {
  await using fresh = await startServer({ ROLE: 'web' });
  assert.ok(await isDone(rebuilding, fresh));
  const newer = rebuilding.map((kind) => ({ ...kind, version: kind.version + 1 }));
  await using upgraded = start(newer, fresh);
  await until('all is known to be of this version', () => isDone(newer, fresh));
  assert.deepEqual(upgraded.made, []);
  assert.deepEqual(startsIn(upgraded), []);
});
