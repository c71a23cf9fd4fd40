// Every statement of a request and of the pipeline reads little of a database with a million articles, half of them of one author.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { operationList } from '@colophon/contract';
import { bucketOf } from '#lib/id';
import { readSamples, recordStatements } from './citus/record.ts';
import type { Recording, Sample } from './citus/record.ts';
import { untilSettled } from './edges.ts';
import { startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { articles, faultOf, largeRows } from './plans/bounds.ts';
import { sendCeremonies } from './plans/ceremonies.ts';
import { learnStatistics, runJobs } from './plans/jobs.ts';
import { largeTables, measure } from './plans/judge-plan.ts';
import { multiply } from './plans/multiply.ts';
import { sendForms, sendPages } from './plans/pages.ts';
import { readAsMany } from './plans/read-as-many.ts';
import { readsOf } from './plans/requests.ts';
import { listMissedPaths } from './plans/missed-paths.ts';
import { makeWorld, runPipeline } from './plans/world.ts';
import type { BusyWorld } from './plans/world.ts';
import { samples as sampleOf, send } from './samples.ts';

/** Of one statement, of different kinds. */
const samplesMax = 12;

/** Some hundred jobs, of which a few read all articles. */
const pipelineMs = 60 * 60_000;
const isStatement = /^\s*(?:--[^\n]*\n\s*)*(?:select|insert|update|delete|with|merge)\b/i;

async function sendReads(server: TestServer, busy: BusyWorld): Promise<void> {
  const { token } = busy.world.human;
  for (const paths of readsOf(busy).values()) {
    for (const path of paths) {
      const { status, body } = await server.ask('GET', path, { token });
      assert.ok(status < 500, `${path}: ${status}`);
      const cursor: unknown = body?.next_cursor;
      if (typeof cursor !== 'string') continue;
      const more = `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
      await server.ask('GET', more, { token });
    }
  }
}

async function sendWrites({ world, samples }: BusyWorld): Promise<void> {
  for (const operation of operationList.filter(({ method }) => method !== 'GET')) {
    // Its nonce would have expired while the world was copied.
    const isShortLived = operation.name === 'registerKey';
    const sample = isShortLived ? await sampleOf.registerKey(world) : samples.get(operation.name);
    const { status, body } = await send(world, operation, {}, sample);
    assert.ok(status < 300, `${operation.name}: ${JSON.stringify(body)}`);
  }
}

const dayMs = 86_400_000;

/** Values that a plan may depend on: what is busy, its bucket, the words of an enumeration, and dates to come. */
function kindsOf({ busy, world }: BusyWorld): Recording['kindOf'] {
  const ids = new Set<unknown>(busy);
  const bucket = bucketOf(world.human.id);
  return (value) => {
    if (ids.has(value)) return 'busy';
    if (typeof value === 'number')
      return value === bucket || value === bucket - (bucket % 16) ? 'b' : 'n';
    const text = String(value);
    if (/^[a-z_]{2,20}$/.test(text)) return text;
    const isLater = /^\d{4}-\d\d-\d\dT/.test(text) && Date.parse(text) > Date.now() + dayMs;
    return isLater ? 'later' : 'v';
  };
}

async function faultsOf(
  client: pg.Client,
  statements: ReadonlyMap<string, readonly Sample[]>,
): Promise<readonly string[]> {
  const large = await largeTables(client, largeRows);
  const faults: string[] = [];
  for (const [text, samples] of statements) {
    const place = samples.find((sample) => sample.place !== '')?.place ?? '';
    if (!isStatement.test(text) || place.includes('.test.ts:')) continue;
    for (const sample of samples) {
      const cost = await measure(client, sample, large);
      const fault = faultOf({ place, text, cost });
      if (fault === undefined) continue;
      const values = JSON.stringify(sample.values).slice(0, 200);
      faults.push(`${place} ${fault}: ${text.replaceAll(/\s+/g, ' ').slice(0, 400)} ${values}`);
      break;
    }
  }
  return faults;
}

test('every statement reads little, of a request and of the pipeline', async (t) => {
  await using server = await startServer({ ROLE: 'web' });
  const folder = await mkdtemp(join(tmpdir(), 'colophon-plans-'));
  const client = new pg.Client(server.services.connection as pg.ClientConfig);
  await client.connect();
  try {
    const busy = await makeWorld(server);
    const rows = await multiply(client, { articles, busy: busy.busy });
    t.diagnostic(`rows: ${JSON.stringify(Object.fromEntries(rows))}`);
    await learnStatistics(server);
    recordStatements(folder, { most: samplesMax, kindOf: kindsOf(busy) });
    // Requests that arrive together share statements, which are other ones than those of a request that is alone.
    readAsMany(server.services.db);
    await sendCeremonies(busy);
    await sendReads(server, busy);
    const pages = await sendPages(busy);
    await sendWrites(busy);
    await sendForms(busy, pages);
    const missed = await listMissedPaths(server);
    {
      await using pipeline = await runPipeline(server);
      await untilSettled(server, pipelineMs);
      void pipeline;
    }
    t.diagnostic(`jobs that have more to do: ${(await runJobs(server)).join(', ')}`);
    const statements = readSamples(folder);
    t.diagnostic(`${statements.size} statements`);
    assert.ok(statements.size > 250, `only ${statements.size} statements were sent`);
    // The work left dead rows, which the database cleans up in its own time.
    await client.query('vacuum analyze');
    const faults = await faultsOf(client, statements);
    assert.deepEqual({ missed, faults }, { missed: [], faults: [] });
  } finally {
    await client.end();
    await rm(folder, { recursive: true });
  }
});
