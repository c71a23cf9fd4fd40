// kill -9 of workers that rebuild a database of before discovery: it goes on where it was, in one of them at a time.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { rebuilding } from '#subscribers';
import { newId } from '#lib/id';
import { migrate } from '../../src/database/migrate.ts';
import { compileCache } from '../compile-cache.ts';
import { assertSame, snapshotOf, urlOf } from '../derived-tables.ts';
import { effort } from '../effort.ts';
import { adminProgram } from '../programs.ts';
import { quiet, throwAwayDatabase, until } from '../throw-away-database.ts';
import { startProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

const migrations = join(import.meta.dirname, '../../src/database/migrations');
const lastBefore = '0016_appeals.sql';
const articles = effort(300, 1_500);
const kills = effort(2, 5);
const patienceMs = 600_000;

const bucket = 5;
const author = newId(bucket);

/** The tables of a version that had neither feed nor sitemap, and indexed articles in another way. */
async function migrateToBefore(connection: pg.ClientConfig): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-before-'));
  for (const file of await readdir(migrations))
    if (file <= lastBefore) await copyFile(join(migrations, file), join(folder, file));
  await migrate(connection, quiet, folder);
  await rm(folder, { recursive: true });
}

const filling: readonly string[] = [
  `insert into principals (bucket, id, kind, username, created_at) values ($1, $2, 'human', 'ann', now())`,
  `insert into contents (bucket, hash, title, content, metadata, excerpt, created_at)
   select $1, 'sha256:' || right($2, 1) || i, 'On moss, ' || i, 'Words about moss, number ' || i, '{"topics":["Moss"]}', 'Words', now()
   from generate_series(1, ${articles}) i`,
  `insert into articles (bucket, id, author_id, author_kind, status, visibility, language, disclosure,
     latest_revision_id, published_revision_id, published_at, created_at, updated_at)
   select $1, '01AAAAAAAA' || lpad(i::text, 10, '0') || right($2, 6), $2, 'human', 'published', 'public',
     'en', 'human_authored', 'r' || i, 'r' || i, now(), now(), now()
   from generate_series(1, ${articles}) i`,
  `insert into revisions (bucket, article_id, id, content_hash, signing_base, created_at, published_at)
   select $1, '01AAAAAAAA' || lpad(i::text, 10, '0') || right($2, 6), 'r' || i, 'sha256:' || right($2, 1) || i, '', now(), now()
   from generate_series(1, ${articles}) i`,
  `insert into comments (bucket, id, article_id, depth, author_id, content, created_at)
   select $1, '01BBBBBBBB' || right(id, 16), id, 0, $2, 'A remark on moss.', now()
   from articles
   where bucket = $1`,
  // What the older version had derived.
  `insert into article_search (bucket, article_id, revision_id, document, indexed_at)
   select bucket, id, published_revision_id, 'moss', now()
   from articles
   where bucket = $1 and author_id = $2`,
];

async function reindexAnew(databaseUrl: string, folder: string): Promise<number | null> {
  const kinds = rebuilding.map(({ name }) => name);
  const child = spawn(process.execPath, [adminProgram, 'reindex', '--from-start', ...kinds], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...compileCache,
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
    },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

const countStarts = ({ log }: ServerProcess) =>
  log.filter(({ msg }) => msg?.includes('Started to rebuild') === true);

/** A filled database of before discovery, and workers of today on it. */
async function startCase() {
  await using made = new AsyncDisposableStack();
  const database = made.use(await throwAwayDatabase());
  const { connection, ask } = made.use(await database.clone(false));
  const folder = await mkdtemp(join(tmpdir(), 'colophon-fault-'));
  const started: ServerProcess[] = [];
  made.defer(async () => {
    for (const one of started) one.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    await rm(folder, { recursive: true, force: true });
  });
  await migrateToBefore(connection);
  for (const text of filling) await ask(text, text.includes('$2') ? [bucket, author] : [bucket]);
  const databaseUrl = urlOf(connection);
  const parts = made.move();
  return {
    ask,
    connection,
    databaseUrl,
    folder,
    started,
    start: () => {
      const settings = { ROLE: 'worker', DATA_DIR: folder, DATABASE_URL: databaseUrl };
      const one = startProcess(folder, settings);
      started.push(one);
      return one;
    },
    isWhole: async () => {
      const text = "select to_regclass('derived_versions') is not null as migrated";
      const [row] = await ask<{ migrated: boolean }>(text);
      if (row?.migrated !== true) return false;
      return (await ask('select from derived_versions')).length === rebuilding.length;
    },
    /** What is being rebuilt now, and how many of it are done. */
    place: async (): Promise<Place> => {
      const text = 'select name, done::integer from reindex_progress';
      const [row] = await ask<{ name: string; done: number }>(text);
      return { name: row?.name ?? '', done: row?.done ?? 0 };
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Each of them gets a row for each article. */
const paced = ['article_search', 'comment_search', 'sitemap_entries', 'article_trends'];

/** Lets each row of these tables take a while: on a fast machine a kind would be made between two looks at it. */
async function slowDown({ ask }: Case, running: readonly ServerProcess[]): Promise<void> {
  const hasBegun = () => running.some((one) => countStarts(one).length > 0);
  await until('one of them has migrated', hasBegun, patienceMs);
  await ask(`
    create function pause_row() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.01); return new; end $$`);
  for (const table of paced)
    await ask(`
      create trigger pause_row before insert or update on ${table}
      for each row execute function pause_row()`);
}

interface Place {
  name: string;
  done: number;
}

type Case = Awaited<ReturnType<typeof startCase>>;

/** Kills the worker that rebuilds in the middle of a kind, once it is further than `last`; false: all was rebuilt before. */
async function killWhoMakes(on: Case, running: ServerProcess[], last: Place): Promise<boolean> {
  let worker: ServerProcess | undefined;
  const moves = async () => {
    worker = running.find((one) => countStarts(one).length > 0);
    const { name, done } = worker === undefined ? last : await on.place();
    if (done === 0 || (name === last.name && done <= last.done)) return on.isWhole();
    Object.assign(last, { name, done });
    return true;
  };
  await until('one of them rebuilds it, and moves on', moves, patienceMs);
  if (worker === undefined || (await on.isWhole())) return false;
  const other = running.filter((one) => one !== worker);
  assert.deepEqual(other.flatMap(countStarts), [], 'two at a time');
  worker.kill('SIGKILL');
  assert.equal((await worker.ended).signal, 'SIGKILL');
  running.splice(0, running.length, ...other, on.start());
  return true;
}

async function checkDerived({ connection, databaseUrl, folder }: Case): Promise<void> {
  const owner = new pg.Client(connection);
  await owner.connect();
  try {
    const derived = await snapshotOf(owner);
    for (const table of ['article_search', 'comment_search', 'sitemap_entries', 'article_trends'])
      assert.equal(derived[table]?.length, articles, table);
    assert.equal(derived['principal_search']?.length, 1);
    assert.equal(derived['topics']?.length, 1);
    assert.equal(await reindexAnew(databaseUrl, folder), 0);
    assertSame(derived, await snapshotOf(owner));
  } finally {
    await owner.end();
  }
}

test(
  `kills while ${articles} articles of before discovery are rebuilt by two workers, without a command`,
  { timeout: 900_000 },
  async (t) => {
    await using on = await startCase();
    const running = [on.start(), on.start()];
    await slowDown(on, running);
    let killed = 0;
    const place = { name: '', done: 0 };
    while (killed < kills && (await killWhoMakes(on, running, place))) killed += 1;
    assert.ok(killed > 1, 'it was all made before anybody was killed');
    await on.ask('drop function pause_row() cascade');
    await until('all is made', on.isWhole, patienceMs);

    const begins = on.started.flatMap((one) => countStarts(one).map(({ done }) => Number(done)));
    assert.ok(begins.length <= rebuilding.length + killed, `${begins.length} begins`);
    const resumed = begins.filter((done) => done > 0).length;
    assert.ok(resumed > 0, 'none went on where another was');
    await checkDerived(on);

    for (const one of running) one.kill('SIGTERM');
    for (const one of running) assert.equal((await one.ended).code, 0);
    const last = on.start();
    const isUp = () => last.log.some(({ msg }) => msg?.includes('runs the pipeline') === true);
    await until('the next one runs', isUp, patienceMs);
    last.kill('SIGTERM');
    assert.equal((await last.ended).code, 0);
    assert.deepEqual(countStarts(last), []);
    t.diagnostic(`${killed} kills, ${begins.length} begins, ${resumed} of them in the middle`);
  },
);
