// Every statement of a request and of the pipeline reads little of a database with a million articles, half of them of one author.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { operationList } from '@colophon/contract';
import { readSamples, recordStatements } from './citus/record.ts';
import type { Sample } from './citus/record.ts';
import { untilSettled } from './edges.ts';
import { startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { largeTables, measure } from './plans/judge-plan.ts';
import type { Cost } from './plans/judge-plan.ts';
import { multiply } from './plans/multiply.ts';
import { readsOf } from './plans/requests.ts';
import { makeWorld, runPipeline } from './plans/world.ts';
import type { BusyWorld } from './plans/world.ts';
import { send } from './samples.ts';

/** Fewer are enough to try a change of this test. */
const articles = Number(process.env['PLANS_ARTICLES'] ?? 1_000_000);
/** A table with fewer rows than this may be read whole. */
const largeRows = articles / 20;
const blocksMax = 400;
/** Of a row that is returned with its article, its text, its author and its key: each is found in an index. */
const blocksOfRow = 25;
const sortedMax = 1_000;

/** Statements whose cost has a bound of its own, in blocks, and why. */
const bounded: Readonly<Record<string, readonly [blocks: number, why: string]>> = {
  'areas/feed/operations/read-feed.ts': [50_000, 'one article of each followed account, of 10,000'],
  'areas/articles/service/listed.ts': [5_000, 'ten articles of each followed account, of 1,000'],
  'areas/search/service/search-comments.ts': [5_000, 'ranks 150 of the newest 6,000 comments'],
  'http/write/stored-texts.ts': [2_000, 'the answers that are kept for an account, of one day'],
  'outbox/dedicated-connection.ts': [5_000, 'the jobs of a batch of messages'],
};

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
    const { status, body } = await send(world, operation, {}, samples.get(operation.name));
    assert.ok(status < 300, `${operation.name}: ${JSON.stringify(body)}`);
  }
}

/** Returns what is wrong, in words. */
function faultOf(place: string, cost: Cost): string | undefined {
  const { rows, blocks, sorted, scanned } = cost;
  const most = bounded[place.replace(/:\d+$/, '')]?.[0] ?? blocksMax + rows * blocksOfRow;
  if (scanned.length > 0) return `reads all of ${scanned.join(', ')}`;
  if (sorted > sortedMax) return `sorts ${sorted} rows`;
  return blocks > most ? `reads ${blocks} blocks for ${rows} rows` : undefined;
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
      const fault = faultOf(place, await measure(client, sample, large));
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
    recordStatements(folder);
    await sendReads(server, busy);
    await sendWrites(busy);
    {
      await using pipeline = await runPipeline(server);
      await untilSettled(server);
      void pipeline;
    }
    const statements = readSamples(folder);
    t.diagnostic(`${statements.size} statements`);
    assert.ok(statements.size > 250, `only ${statements.size} statements were sent`);
    assert.deepEqual(await faultsOf(client, statements), []);
  } finally {
    await client.end();
    await rm(folder, { recursive: true });
  }
});
