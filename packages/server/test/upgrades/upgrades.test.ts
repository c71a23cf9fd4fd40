// Databases of earlier versions are migrated by today's server, which then answers all that those versions answered.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { urlOf } from '../derived-tables.ts';
import { throwAwayDatabase, until } from '../throw-away-database.ts';
import type { ThrowAway } from '../throw-away-database.ts';
import { Caller } from './caller.ts';
import { startingAt } from './clock.ts';
import { lossesOfAnswer } from './comparing.ts';
import { accounts } from './continued/accounts.ts';
import { desk } from './continued/desk.ts';
import { works } from './continued/works.ts';
import type { Reading } from './fill.ts';
import type { Kept } from './record.ts';
import { serve } from './serve.ts';

const dumps = join(import.meta.dirname, 'dumps');
const versions = readdirSync(dumps)
  .filter((name) => name.endsWith('.sql.gz'))
  .map((name) => name.slice(0, -'.sql.gz'.length));
const unpackDump = (name: string) => gunzipSync(readFileSync(join(dumps, name))).toString();

/** A part of a recording; undefined for versions that were recorded without it. */
function unpackPart<T>(version: string, part: string): T | undefined {
  const name = `${version}.${part}.json.gz`;
  return existsSync(join(dumps, name)) ? (JSON.parse(unpackDump(name)) as T) : undefined;
}

/** What is derived is rebuilt after an upgrade while the server answers: it is asked until it is there. */
const rebuildMs = 600_000;

const atOnce = 8;

async function assertAnswered(caller: Caller, { path, token, ...earlier }: Reading): Promise<void> {
  let losses: readonly string[] = [];
  const isKept = async () => {
    losses = lossesOfAnswer(earlier, await caller.ask('GET', path, { token }));
    return losses.length === 0;
  };
  await until(path, isKept, rebuildMs).catch(() => undefined);
  assert.deepEqual(losses, [], path);
}

/** Tables of today's schema that a recording leaves empty, and why. */
const unfilled: Readonly<Record<string, string>> = {
  log_witnessed: 'a setting names the logs for which the service is a witness',
  log_witnesses: 'a setting names the witnesses',
  reindex_progress: 'it has rows only while derived rows are rebuilt',
  search_horizons: 'statistics of PostgreSQL, made by the pipeline when there are enough articles',
  search_shares: 'nothing writes to it any more',
  search_term_frequencies: 'as search_horizons',
};

/** Names the tables of a dump without rows. */
function emptyTablesOf(dump: string): readonly string[] {
  const tables = [...dump.matchAll(/^CREATE TABLE public\.(\w+)/gm)].map(([, name = '']) => name);
  return tables.filter((name) => !dump.includes(`\nINSERT INTO public.${name} `)).toSorted();
}

/** Every key of before answers what it answered when it was sent again before. */
async function assertReplayed(caller: Caller, { replays }: Kept): Promise<void> {
  assert.ok(replays.some(({ status }) => status < 300));
  for (const { sent, ...earlier } of replays) {
    const now = await caller.replay(sent);
    assert.deepEqual(lossesOfAnswer(earlier, now), [], sent.path);
    if (now.status < 300) assert.equal(now.headers.get('idempotency-replayed'), 'true', sent.path);
  }
}

let database: ThrowAway;
before(async () => {
  database = await throwAwayDatabase();
});
after(() => database[Symbol.asyncDispose]());

for (const version of versions) {
  test(`${version}: everything that it answered is answered today, and it is found and continued`, async (t) => {
    await using clone = await database.clone(false);
    const dump = unpackDump(`${version}.sql.gz`);
    await clone.ask(dump);
    const kept = unpackPart<Kept>(version, 'kept');
    await using server = await serve(urlOf(clone.connection), {
      files: unpackPart<Record<string, string>>(version, 'files') ?? {},
      settings: kept === undefined ? {} : startingAt(kept.recordedAt),
    });
    const caller = new Caller(server.address);
    const readings = unpackPart<readonly Reading[]>(version, 'answers') ?? [];
    assert.ok(readings.length > 40);
    for (let at = 0; at < readings.length; at += atOnce)
      await Promise.all(
        readings.slice(at, at + atOnce).map((reading) => assertAnswered(caller, reading)),
      );
    // What was not derived yet is derived from what was there.
    await until('an article is found by its text', async () => {
      const { body } = await caller.ask('GET', '/v1/search?q=ferns');
      return (body['items'] as unknown[]).length > 0;
    });
    const token = readings.find((one) => one.token !== null)?.token ?? '';
    await caller.post('/v1/articles', token, { title: 'Afterwards', content: 'Written later.' });
    if (kept === undefined) return;
    assert.deepEqual(emptyTablesOf(dump), Object.keys(unfilled));
    await assertReplayed(caller, kept);
    const later = { caller, address: server.address, kept, dump };
    for (const [what, goOn] of Object.entries({ ...works, ...accounts, ...desk }))
      await t.test(`${version}: ${what}`, () => goOn(later));
    const failures = server.log.filter(({ level }) => Number(level) >= 50);
    assert.deepEqual(failures, []);
  });
}
