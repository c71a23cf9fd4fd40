// The server is killed while it treats the works of a closed account: the next one goes on where it stopped.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { treatments } from '@colophon/contract';
import { bucketOf, newId } from '#lib/id';
import { effort } from '../effort.ts';
import { until } from '../throw-away-database.ts';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

const works = effort(600, 4_000);

let place: Place;
let server: ServerProcess;

before(async () => {
  place = await makePlace();
  server = place.start();
  await server.ready(place.baseUrl);
});

after(() => place[Symbol.asyncDispose]());

interface Person {
  readonly id: string;
  readonly token: string;
}

async function post(path: string, body: object, token?: string): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return fetch(place.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Published articles as they would be after years of writing. */
async function fill(client: pg.Client, { id }: Person): Promise<void> {
  const bucket = bucketOf(id);
  const ids = Array.from({ length: works }, () => newId(bucket));
  const revisions = ids.map(() => newId(bucket));
  await client.query(
    `with given as materialized (
      select a.id, a.revision_id, 'sha256:' || $2 || a.id as hash
      from unnest($3::text[], $4::text[]) as a (id, revision_id)
    ), kept as (
      insert into contents (bucket, hash, title, content, metadata, excerpt, created_at)
      select $1, hash, 'A title', 'A text', '{}', 'A text', now()
      from given
    ), article as (
      insert into articles (
        bucket, id, author_id, author_kind, status, visibility, language, disclosure,
        latest_revision_id, published_revision_id, published_at, created_at, updated_at
      )
      select $1, id, $2, 'human', 'published', 'public', 'en', 'human_authored', revision_id,
        revision_id, now(), now(), now()
      from given
    )
    insert into revisions (bucket, article_id, id, content_hash, signing_base, created_at, published_at)
    select $1, id, revision_id, hash, 'http://127.0.0.1', now(), now()
    from given`,
    [bucket, id, ids, revisions],
  );
}

interface Progress {
  readonly done: number;
  readonly total: number;
  readonly finished: boolean;
}

async function progressOf(client: pg.Client, id: string): Promise<Progress | undefined> {
  const { rows } = await client.query<Progress>(
    `select done, total, finished_at is not null as finished
    from article_treatments
    where bucket = $1 and author_id = $2`,
    [bucketOf(id), id],
  );
  return rows[0];
}

async function killHalfWay(client: pg.Client, id: string): Promise<number> {
  let done = 0;
  await until('the treatment is under way', async () => {
    done = (await progressOf(client, id))?.done ?? 0;
    return done > 0;
  });
  server.kill('SIGKILL');
  await server.ended;
  await client.end();
  return done;
}

const statuses = { pseudonymise: 'published', unpublish: 'unpublished', erase: 'erased' };

for (const treatment of treatments) {
  test(`${treatment}: ${works} works, killed on the way, end treated once each`, async (t) => {
    const registered = await post('/v1/humans', { username: `leaver-${treatment}` });
    assert.equal(registered.status, 201);
    const person = (await registered.json()) as Person;
    let client = await place.connect();
    await fill(client, person);
    const since = performance.now();
    const body = { confirm: 'close', articles: treatment };
    const closed = await post(`/v1/principals/${person.id}/close`, body, person.token);
    assert.equal(closed.status, 200);
    const before = await killHalfWay(client, person.id);
    server = place.start();
    await server.ready(place.baseUrl);
    client = await place.connect();
    await until(
      'all is treated',
      async () => (await progressOf(client, person.id))?.finished === true,
    );
    const seconds = (performance.now() - since) / 1000;
    const { rows } = await client.query<{ status: string; count: number }>(
      `select status, count(*)::integer as count
      from articles
      where bucket = $1 and author_id = $2
      group by status`,
      [bucketOf(person.id), person.id],
    );
    assert.deepEqual(rows, [{ status: statuses[treatment], count: works }]);
    const progress = await progressOf(client, person.id);
    assert.deepEqual([progress?.done, progress?.total], [works, works]);
    if (treatment === 'erase') {
      const left = await client.query(`select hash from contents where bucket = $1`, [
        bucketOf(person.id),
      ]);
      assert.equal(left.rowCount, 0);
    }
    await client.end();
    const rate = Math.round(works / seconds);
    t.diagnostic(`killed after ${before} of ${works}; ${rate} a second, the restart included`);
  });
}
