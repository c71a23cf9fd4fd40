// What PostgreSQL says when it is out of something, cannot use its files, or ends a deadlock again and again: 503 unavailable, with Retry-After.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { assertProblem, startServer } from '../harness.ts';
import type { Human, TestServer } from '../harness.ts';
import { aRecord, put } from '../media-files.ts';
import { until } from '../throw-away-database.ts';

const states = {
  '40001': 'serialization_failure',
  '40P01': 'deadlock_detected',
  '53000': 'insufficient_resources',
  '53100': 'disk_full',
  '53200': 'out_of_memory',
  '53300': 'too_many_connections',
  '53400': 'configuration_limit_exceeded',
  '57P01': 'admin_shutdown',
  '57P02': 'crash_shutdown',
  '57P03': 'cannot_connect_now',
  '57P04': 'database_dropped',
  '57P05': 'idle_session_timeout',
  '58000': 'system_error',
  '58030': 'io_error',
  '58P01': 'undefined_file',
} as const;

/** How many requests the log says were answered with 503: a line each, or counted in one. */
function countRefusals(lines: readonly (readonly [object, string])[]): number {
  const counts = lines.map(([fields, text]) => {
    if (text === 'A request was answered with 503 unavailable.') return 1;
    const more = text === 'More requests were answered with 503 unavailable.';
    return more ? Number((fields as { requests?: unknown }).requests) : 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

let server: TestServer;
let human: Human;
let owner: pg.Client;

before(async () => {
  server = await startServer();
  human = await server.register();
  owner = new pg.Client(server.services.connection);
  await owner.connect();
});

after(async () => {
  await owner.end();
  await server[Symbol.asyncDispose]();
});

for (const [state, name] of Object.entries(states)) {
  test(`503 unavailable when the database answers ${state}, ${name}`, async () => {
    await owner.query(`
      create or replace function refuse() returns trigger language plpgsql as
      $$ begin raise 'refused for the test' using errcode = '${state}'; end $$;
      create trigger refuse before insert on contents execute function refuse()`);
    const refused = await server.ask('POST', '/v1/articles', {
      token: human.token,
      key: true,
      body: { title: 'Refused', content: 'Some text.' },
    });
    await owner.query('drop trigger refuse on contents');
    assertProblem(refused, 'unavailable');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal(refused.body.retry_after_seconds, Number(refused.headers.get('retry-after')));
  });
}

test('of many refusals at once, the log has some with their errors and the number of the others', async (t) => {
  const sent = 40;
  const lines: [object, string][] = [];
  const { log } = server.services;
  // What the tests before have counted is logged at the end of their second.
  await wait(1_500);
  t.mock.method(log, 'warn', (fields: object, text: string) => void lines.push([fields, text]));
  await owner.query(`
    create trigger refuse before insert on contents execute function refuse()`);
  const all = await Promise.all(
    Array.from({ length: sent }, (_, at) =>
      server.ask('POST', '/v1/articles', {
        token: human.token,
        key: true,
        body: { title: `Refused ${at}`, content: 'Some text.' },
      }),
    ),
  );
  await owner.query('drop trigger refuse on contents');
  for (const refused of all) assertProblem(refused, 'unavailable');
  await until('the log reports each', () => countRefusals(lines) >= sent);
  assert.equal(countRefusals(lines), sent);
});

test('bytes that are stored a second time: the record is ready, and so says the answer', async () => {
  const bytes = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
  const first = await aRecord(server, human, 'document');
  assert.equal((await put(server, human, first.id, bytes)).body.status, 'ready');
  const second = await aRecord(server, human, 'document');
  await owner.query(`
    create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise 'refused for the test' using errcode = '53100'; end $$;
    create trigger refuse before insert on outbox execute function refuse()`);
  const answer = await put(server, human, second.id, bytes);
  await owner.query('drop trigger refuse on outbox');
  assert.deepEqual(
    [answer.status, answer.body.status],
    [200, 'ready'],
    JSON.stringify(answer.body),
  );
});
