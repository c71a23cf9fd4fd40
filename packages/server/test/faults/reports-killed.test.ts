// The server is killed while one action closes many reports: all are closed once with one action, or none is.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { bucketOf, newId } from '#lib/id';
import { until } from '../throw-away-database.ts';
import { drawSample } from './sampled.ts';
import { seed } from '../seed.ts';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

const reportsOn = 300;
/** When the server is killed, in milliseconds after the action was sent. */
const moments = Array.from({ length: 40 }, (_, at) => at * 2);

interface Person {
  readonly id: string;
  readonly token: string;
}

let place: Place;
let server: ServerProcess;
let moderator: Person;
let author: Person;

async function send(path: string, body: object, more: Readonly<Record<string, string>> = {}) {
  const headers = { 'content-type': 'application/json', ...more };
  return fetch(place.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function register(username: string): Promise<Person> {
  const made = await send('/v1/humans', { username });
  assert.equal(made.status, 201);
  return (await made.json()) as Person;
}

async function start(): Promise<void> {
  server = place.start({ ROLE: 'web' });
  await server.ready(place.baseUrl);
}

before(async () => {
  place = await makePlace();
  await start();
  [moderator, author] = [await register('moderator-person'), await register('author-person')];
  await using client = await connection();
  await client.pg.query(
    `update tokens set scopes = scopes || '{admin:moderate}' where bucket = $1 and principal_id = $2`,
    [bucketOf(moderator.id), moderator.id],
  );
});
after(() => place[Symbol.asyncDispose]());

async function connection(): Promise<{ readonly pg: pg.Client } & AsyncDisposable> {
  const client = await place.connect();
  return { pg: client, [Symbol.asyncDispose]: () => client.end() };
}

/** An article with reports on it; returns the body of the action that closes them, and its key. */
async function prepareReports(client: pg.Client) {
  const token = { authorization: `Bearer ${author.token}` };
  const key = () => ({ 'idempotency-key': crypto.randomUUID() });
  const body = { title: 'Stones', content: 'For sale.' };
  const draft = await (await send('/v1/articles', body, { ...token, ...key() })).json();
  const { id, revision_id } = draft as { readonly id: string; readonly revision_id: string };
  const published = await send(
    `/v1/articles/${id}/publish`,
    { revision_id },
    { ...token, ...key() },
  );
  assert.equal(published.status, 200);
  const ids = Array.from({ length: reportsOn }, () => newId(bucketOf(id)));
  await client.query(
    `insert into reports (bucket, id, target_type, target_id, category, created_at)
    select $1, listed, 'article', $2, 'spam', now() from unnest($3::text[]) as listed`,
    [bucketOf(id), id, ids],
  );
  const action = { target_type: 'article', target_id: id, action: 'hide', reason_code: 'spam' };
  return {
    id,
    headers: { authorization: `Bearer ${moderator.token}`, ...key() },
    input: { ...action, source: 'report', report_id: ids[0], all_reports: true },
  };
}

/** What there is of the action: closed reports, rows of history, actions, rows of the audit log, notifications. */
async function countsOf(client: pg.Client, id: string) {
  const { rows } = await client.query<Record<string, number>>(
    `select
      (select count(*) from reports where bucket = $1 and target_id = $2 and status = 'actioned')::int as closed,
      (select count(*) from report_changes where bucket = $1 and target_id = $2)::int as changes,
      (select count(*) from moderation_actions where bucket = $1 and target_id = $2)::int as actions,
      (select count(distinct action_id) from reports where bucket = $1 and target_id = $2)::int as named,
      (select count(*) from audit_log where target_id = $2 and action = 'hide')::int as audited,
      (select count(*) from events where subject_id = $2 and type = 'moderation.action')::int as events`,
    [bucketOf(id), id],
  );
  return rows[0] ?? assert.fail();
}

const none = { closed: 0, changes: 0, actions: 0, named: 0, audited: 0, events: 0 };
const once = {
  closed: reportsOn,
  changes: reportsOn,
  actions: 1,
  named: 1,
  audited: 1,
  events: 1,
};

async function kill(): Promise<void> {
  server.kill('SIGKILL');
  await server.ended;
}

/** Sends the action again with the same key until it is answered; the crash has freed the key. */
async function retry({
  input,
  headers,
}: Awaited<ReturnType<typeof prepareReports>>): Promise<Response> {
  for (;;) {
    const answer = await send('/v1/moderation/actions', input, headers);
    if (answer.status !== 409) return answer;
    const { type } = (await answer.json()) as { readonly type: string };
    assert.match(type, /idempotency-in-progress$/);
    await wait(50);
  }
}

test('killed after the reports were closed and before the commit: none is closed; then all, once', async () => {
  await using client = await connection();
  const made = await prepareReports(client.pg);
  // The action waits for the end of the audit log, with its reports closed.
  await using blocking = await connection();
  await blocking.pg.query('begin');
  await blocking.pg.query('lock table audit_heads in exclusive mode');
  const sent = send('/v1/moderation/actions', made.input, made.headers).catch(() => undefined);
  await until('the action waits for the audit log', async () => {
    const { rowCount } = await client.pg.query(
      `select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%audit_head%'`,
    );
    return rowCount === 1;
  });
  await kill();
  assert.equal(await sent, undefined);
  await start();
  await using later = await connection();
  assert.deepEqual(await countsOf(later.pg, made.id), none);
  assert.equal((await retry(made)).status, 201);
  assert.deepEqual(await countsOf(later.pg, made.id), once);
});

test(`killed at any moment, and sent again with the same key: all are closed, once, SEED=${seed}`, async () => {
  for (const moment of drawSample(moments, 2)) {
    const before = await connection();
    const made = await prepareReports(before.pg);
    await before[Symbol.asyncDispose]();
    const sent = send('/v1/moderation/actions', made.input, made.headers).catch(() => undefined);
    await wait(moment);
    await kill();
    const answered = (await sent)?.status === 201;
    await start();
    await using later = await connection();
    const found = await countsOf(later.pg, made.id);
    // What was answered is there; what was not is whole or absent.
    assert.ok(!answered || found['closed'] === reportsOn);
    assert.deepEqual(found, found['actions'] === 1 ? once : none);
    const again = await retry(made);
    assert.equal(again.status, 201);
    assert.equal(again.headers.get('idempotency-replayed') === 'true', found['actions'] === 1);
    assert.deepEqual(await countsOf(later.pg, made.id), once);
  }
});
