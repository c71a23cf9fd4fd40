// The server is killed while it treats the works of closed accounts: the next one goes on where it stopped.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { treatments } from '@colophon/contract';
import type { Treatment } from '@colophon/contract';
import { bucketOf, newId } from '#lib/id';
import { effort } from '../effort.ts';
import { until } from '../throw-away-database.ts';
import { makePlace } from './server-process.ts';
import type { Place } from './server-process.ts';

const works = effort(300, 4_000);

let place: Place;
let client: pg.Client;
let leavers: readonly Leaver[];
let killedAt: number;

interface Person {
  readonly id: string;
  readonly token: string;
}

interface Leaver extends Person {
  readonly treatment: Treatment;
  /** Works that were treated before the kill. */
  done: number;
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
async function fill({ id }: Person): Promise<void> {
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

async function progressOf(id: string): Promise<Progress | undefined> {
  const { rows } = await client.query<Progress>(
    `select done, total, finished_at is not null as finished
    from article_treatments
    where bucket = $1 and author_id = $2`,
    [bucketOf(id), id],
  );
  return rows[0];
}

async function aLeaver(treatment: Treatment): Promise<Leaver> {
  const registered = await post('/v1/humans', { username: `leaver-${treatment}` });
  assert.equal(registered.status, 201);
  const person = (await registered.json()) as Person;
  await fill(person);
  return { ...person, treatment, done: 0 };
}

async function close({ id, token, treatment }: Leaver): Promise<void> {
  const body = { confirm: 'close', articles: treatment };
  assert.equal((await post(`/v1/principals/${id}/close`, body, token)).status, 200);
}

before(async () => {
  place = await makePlace();
  const server = place.start();
  await server.ready(place.baseUrl);
  client = await place.connect();
  leavers = await Promise.all(treatments.map(aLeaver));
  await Promise.all(leavers.map(close));
  await until('all treatments are under way', async () => {
    for (const one of leavers) one.done = (await progressOf(one.id))?.done ?? 0;
    return leavers.every(({ done }) => done > 0);
  });
  server.kill('SIGKILL');
  await server.ended;
  await client.end();
  killedAt = performance.now();
  await place.start().ready(place.baseUrl);
  client = await place.connect();
});

after(async () => {
  await client.end();
  await place[Symbol.asyncDispose]();
});

const statuses = { pseudonymise: 'published', unpublish: 'unpublished', erase: 'erased' };

for (const treatment of treatments) {
  test(`${treatment}: ${works} works, killed on the way, end treated once each`, async (t) => {
    const leaver = leavers.find((one) => one.treatment === treatment) ?? assert.fail();
    const bucket = bucketOf(leaver.id);
    await until('all is treated', async () => (await progressOf(leaver.id))?.finished === true);
    const seconds = (performance.now() - killedAt) / 1000;
    const { rows } = await client.query<{ status: string; count: number }>(
      `select status, count(*)::integer as count
      from articles
      where bucket = $1 and author_id = $2
      group by status`,
      [bucket, leaver.id],
    );
    assert.deepEqual(rows, [{ status: statuses[treatment], count: works }]);
    const progress = await progressOf(leaver.id);
    assert.deepEqual([progress?.done, progress?.total], [works, works]);
    if (treatment === 'erase') {
      const left = await client.query(
        `select from contents where bucket = $1 and hash like 'sha256:' || $2 || '%'`,
        [bucket, leaver.id],
      );
      assert.equal(left.rowCount, 0);
    }
    t.diagnostic(
      `killed after ${leaver.done} of ${works}; done ${seconds.toFixed(1)} s after the kill`,
    );
  });
}
