// npm run admin -- reindex beside a running server: everything derived is there again, as the pipeline makes it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { lineOf, makeProgress } from '../src/admin/progress.ts';
import { createAgent } from './agents.ts';
import { comment } from './comments.ts';
import { assertSame, snapshotOf, truncateDerived } from './derived-tables.ts';
import { link, untilSettled } from './edges.ts';
import { effort } from './effort.ts';
import { startServer } from './harness.ts';
import type { Human, TestServer } from './harness.ts';
import { operate, startAdmin } from './operator.ts';
import { until } from './throw-away-database.ts';

/** Images are drawn one at a time, and after everything else. */
const patienceMs = 600_000;

let server: TestServer;
let owner: pg.Client;
before(async () => {
  server = await startServer({}, {}, { drawsAhead: true });
  owner = new pg.Client(server.services.connection);
  await owner.connect();
});
after(async () => {
  await owner.end();
  await server[Symbol.asyncDispose]();
});

const run = (...args: string[]) => operate(server, 'reindex', ...args);

async function population(): Promise<{ readonly people: readonly Human[] }> {
  const people = [await server.register(), await server.register(), await server.register()];
  const [one, two, three] = people as [Human, Human, Human];
  const agent = await createAgent(server, one);
  const made = [];
  for (let index = 0; index < 12; index += 1) {
    const author = [one, two, agent][index % 3] ?? one;
    made.push(
      await server.published(author, {
        title: `The ${index}th hedgehog`,
        content: `Words about hedgehogs, number ${index}.`,
        metadata: { topics: ['Hedgehogs', `Topic ${index % 4}`] },
        visibility: index % 5 === 4 ? 'unlisted' : 'public',
      }),
    );
  }
  for (const [index, { id }] of made.entries()) {
    if (index % 2 === 0) await comment(server, three, id, { content: 'A remark on hedgehogs.' });
  }
  await link(server, one, [made[0], made[1]]);
  const body = { principal_id: two.id };
  assert.equal((await server.ask('POST', '/v1/follows', { token: three.token, body })).status, 201);
  return { people };
}

/** Publishes, comments and hides until it is told to stop: not faster than images are drawn. */
function writeOn(author: Human, reader: Human) {
  let stopped = false;
  const whole = (async () => {
    for (let count = 0; !stopped; count += 1) {
      const { id } = await server.published(author, {
        title: `Written meanwhile ${count}`,
        metadata: { topics: ['Meanwhile'] },
      });
      await comment(server, reader, id);
      await wait(300);
      if (count % 2 === 0) {
        const body = { visibility: 'unlisted' };
        await server.ask('PATCH', `/v1/articles/${id}`, { token: author.token, body });
      }
    }
  })();
  return async () => {
    stopped = true;
    await whole;
  };
}

test('everything is there again, under writes and without, and what has no source is gone', async () => {
  const { people } = await population();
  await untilSettled(server, patienceMs);
  const made = await snapshotOf(owner);
  for (const [table, rows] of Object.entries(made)) assert.ok(rows.length > 0, `${table} is empty`);

  const stop = writeOn(people[0] as Human, people[2] as Human);
  await truncateDerived(owner);
  const first = await run();
  assert.equal(first.code, 0, first.complaint);
  await stop();
  await untilSettled(server, patienceMs);
  const underWrites = await snapshotOf(owner);

  await truncateDerived(owner);
  await owner.query(
    `insert into sitemap_entries (bucket, article_id, file, revision_id, lastmod) values (3, $1, 7, '', now())`,
    [newId(3)],
  );
  const third = await run('--from-start');
  assert.equal(third.code, 0, third.complaint);
  assertSame(await snapshotOf(owner), underWrites);
  const wrong = await owner.query(`
    select f.number
    from sitemap_files f
    left join (select file, count(*) as entries from sitemap_entries group by file) as e on e.file = f.number
    where f.entries <> coalesce(e.entries, 0)`);
  assert.deepEqual(wrong.rows, []);
  for (const table of ['article_search', 'sitemap_entries', 'comment_search', 'principal_search']) {
    for (const row of made[table] ?? []) assert.ok(underWrites[table]?.includes(row), row);
  }
});

test('it reports its progress, and refuses unknown arguments in one sentence', async () => {
  const { code, complaint } = await run('sitemap', 'sitemap-files');
  assert.equal(code, 0);
  assert.match(complaint, /^sitemap: [\d,]+ of [\d,]+ \(100 %\)/m);
  assert.match(complaint, /^sitemap-files: /m);
  assert.ok(!complaint.includes('search'));
  const refused = await run('everything');
  assert.equal(refused.code, 1);
  assert.match(refused.complaint, /has no kind everything.*search.*sitemap/);
});

test('it is stopped in the middle and goes on there, and --from-start begins again', async () => {
  const human = await server.register();
  const bucket = bucketOf(human.id);
  const { id: last, revision_id } = await server.published(human);
  await untilSettled(server, patienceMs);
  await owner.query(
    `insert into articles (bucket, id, author_id, author_kind, status, visibility, language, disclosure,
       latest_revision_id, published_revision_id, published_at, created_at, updated_at)
     select $1, '01AAAAAAAA' || lpad(i::text, 10, '0') || right($2, 6), $3, 'human', 'published', 'public',
       'en', 'human_authored', $4, $4, now(), now(), now()
     from generate_series(1, ${effort(2_500, 8_000)}) i`,
    [bucket, last, human.id, revision_id],
  );
  const progress = async () =>
    (
      await owner.query<{ done: string }>(
        "select done from reindex_progress where name = 'sitemap'",
      )
    ).rows[0]?.done;
  // The rows take a while: a fast machine would be done before the signal.
  await owner.query(`
    create function pause_row() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.004); return new; end $$;
    create trigger pause_row before insert or update on sitemap_entries
    for each row execute function pause_row()`);
  const running = startAdmin(server, 'reindex', 'sitemap');
  await until('some are done', async () => Number((await progress()) ?? 0) >= 500);
  running.child.kill('SIGINT');
  const stopped = await running.done();
  await owner.query('drop function pause_row() cascade');
  assert.equal(stopped.code, 130, stopped.complaint);
  assert.match(stopped.complaint, /again to continue/);
  const kept = Number(await progress());
  assert.ok(kept >= 500);
  const { code, complaint } = await run('sitemap');
  assert.equal(code, 0, complaint);
  assert.equal(await progress(), undefined);
  const { rows } = await owner.query<{ missing: string }>(`
    select count(*) as missing
    from articles a
    where a.listed
      and not exists (select from sitemap_entries e where e.bucket = a.bucket and e.article_id = a.id and e.file is not null)`);
  assert.equal(rows[0]?.missing, '0');
  await owner.query("delete from articles where id like '01AAAAAAAA%'");
  const swept = await run('--from-start', 'sitemap');
  assert.equal(swept.code, 0, swept.complaint);
  const left = await server.db.first(sql<{ left: number }>`
    select count(*) as left
    from sitemap_entries
    where article_id like '01AAAAAAAA%'`);
  assert.equal(left?.left, 0);
});

test('what cannot be made is named, the rest is made, and the end is not well', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await untilSettled(server, patienceMs);
  await owner.query('truncate sitemap_entries');
  await owner.query(
    `alter table sitemap_entries add constraint sitemap_entries_trial_check check (article_id <> '${id}')`,
  );
  const { code, complaint } = await run('sitemap');
  await owner.query('alter table sitemap_entries drop constraint sitemap_entries_trial_check');
  assert.equal(code, 1);
  assert.match(complaint, new RegExp(`sitemap ${id}: `));
  assert.match(complaint, /1 rows could not be rebuilt/);
  assert.equal((await run('sitemap', 'sitemap-files')).code, 0);
});

test('a line of progress has count, share, rate and time left', () => {
  const part = { name: 'search', total: 5_000, from: 0, done: 1_200 };
  assert.equal(lineOf(part, 1.5), 'search: 1,200 of 5,000 (24 %), 800/s, 5 s left');
  assert.equal(lineOf({ ...part, done: 5_000 }, 5), 'search: 5,000 of 5,000 (100 %), 1,000/s');
  assert.equal(lineOf({ ...part, done: 5_001 }, 0), 'search: 5,001 of 5,001 (100 %)');
  assert.equal(lineOf({ ...part, from: 1_200 }, 10), 'search: 1,200 of 5,000 (24 %)');
  assert.equal(lineOf({ ...part, total: 0, done: 0 }, 0), 'search: 0 of 0 (100 %)');
  assert.equal(
    lineOf({ ...part, total: 1_000_000 }, 1.5),
    'search: 1,200 of 1,000,000 (0 %), 800/s, 21 min left',
  );
  assert.equal(lineOf({ ...part, total: undefined }, 2), 'search: 1,200, 600/s');
});

test('on a terminal one line is written over; elsewhere each part leaves its last line', () => {
  for (const isTTY of [true, false]) {
    const written: string[] = [];
    {
      using progress = makeProgress(
        { isTTY, write: (line: string) => written.push(line) },
        () => 0,
      );
      progress.begin('one', 2, 0);
      progress.add();
      progress.add();
      progress.end();
    }
    const expected = isTTY
      ? ['\rone: 0 of 2 (0 %)\u001b[K', '\rone: 2 of 2 (100 %)\u001b[K', '\n']
      : ['one: 2 of 2 (100 %)\n'];
    assert.deepEqual(written, expected);
  }
});
