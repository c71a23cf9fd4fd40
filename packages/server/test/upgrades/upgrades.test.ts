// Databases of earlier versions are migrated by today's server, which then answers all that those versions answered.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { throwAwayDatabase, until } from '../throw-away-database.ts';
import type { ThrowAway } from '../throw-away-database.ts';
import type { Reading } from './fill.ts';
import { serve } from './serve.ts';

const dumps = join(import.meta.dirname, 'dumps');
const versions = readdirSync(dumps)
  .filter((name) => name.endsWith('.sql.gz'))
  .map((name) => name.slice(0, -'.sql.gz'.length));
const unpackDump = (name: string) => gunzipSync(readFileSync(join(dumps, name))).toString();

/** What changes when it is read, or is the time of the reading. */
const passing = new Set(['last_used_at', 'request_id', 'instance']);
/** The words of a problem may change, its type and members may not. */
const wordsOfProblems = new Set(['title', 'detail']);

/** Finds what an earlier answer has and the present one has not: `/items/0/title: "a" became "b"`. */
function lossesOf(earlier: unknown, now: unknown, at = ''): string[] {
  if (typeof earlier !== 'object' || earlier === null)
    return Object.is(earlier, now)
      ? []
      : [`${at}: ${JSON.stringify(earlier)} became ${JSON.stringify(now)}`];
  if (typeof now !== 'object' || now === null) return [`${at} became ${JSON.stringify(now)}`];
  if (Array.isArray(earlier) && (!Array.isArray(now) || earlier.length !== now.length))
    return [`${at}: the number of its items changed`];
  return Object.entries(earlier)
    .filter(([name]) => !passing.has(name))
    .flatMap(([name, value]) =>
      lossesOf(value, (now as Record<string, unknown>)[name], `${at}/${name}`),
    );
}

function withoutWords(problem: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(problem).filter(([name]) => !wordsOfProblems.has(name)));
}

let database: ThrowAway;
before(async () => {
  database = await throwAwayDatabase();
});
after(() => database[Symbol.asyncDispose]());

for (const version of versions) {
  test(`${version}: everything that it answered is answered today, and it is found and continued`, async () => {
    await using clone = await database.clone(false);
    await clone.ask(unpackDump(`${version}.sql.gz`));
    await using server = await serve(clone);
    const read = async (path: string, token: string | null) => {
      const headers: Record<string, string> =
        token === null ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(server.address + path, { headers });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const readings = JSON.parse(unpackDump(`${version}.answers.json.gz`)) as readonly Reading[];
    assert.ok(readings.length > 40);
    for (const { path, token, status, body } of readings) {
      const now = await read(path, token);
      assert.equal(now.status, status, path);
      const expected = status < 400 ? body : withoutWords(body as Record<string, unknown>);
      assert.deepEqual(lossesOf(expected, now.body), [], path);
    }
    // What was not derived yet is derived from what was there.
    await until('an article is found by its text', async () => {
      const { body } = await read('/v1/search?q=ferns', null);
      return (body['items'] as unknown[]).length > 0;
    });
    const token = readings.find((one) => one.token !== null)?.token ?? '';
    const created = await fetch(`${server.address}/v1/articles`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify({ title: 'Afterwards', content: 'Written after the upgrade.' }),
    });
    assert.equal(created.status, 201, await created.text());
  });
}
