// GET /metrics and the figures of /readyz: who may read them, what they say, and what they never say.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readConfig } from '#config';
import { sql } from '#database';
import { exchange } from './bad-input/raw-socket.ts';
import { comment } from './comments.ts';
import { assertProblem, startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

const secret = 'a-token-for-prometheus';
const server = await startServer();
after(() => server[Symbol.asyncDispose]());

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the text format by its grammar: every line a comment or a sample. */
function parse(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([Nn]a[Nn]|[-+]?(?:Inf|[\d.e+-]+))$/.exec(
        line,
      );
      assert.ok(match, line);
      const pairs = [...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
      const labels = Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value]));
      return { name: match[1] ?? '', labels, value: Number(match[3]?.replace('Inf', 'Infinity')) };
    });
}

async function scrape(from: TestServer, headers: Record<string, string> = {}): Promise<Sample[]> {
  const response = await from.ask('GET', '/metrics', { headers });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return parse(String(response.body));
}

function valueOf(samples: readonly Sample[], name: string, labels: object = {}): number {
  const found = samples.filter(
    (one) =>
      one.name === name &&
      Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  );
  assert.equal(found.length, 1, `${name} ${JSON.stringify(labels)}`);
  return found[0]?.value ?? Number.NaN;
}

test('200 with answers by route, method and status, and classes that add up', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  for (let count = 0; count < 3; count += 1) await server.ask('GET', `/v1/articles/${id}`);
  await server.ask('GET', '/v1/articles/nothing');
  await server.ask('GET', '/no/such/page');
  const samples = await scrape(server);
  const reading = { route: '/v1/articles/:id', method: 'GET', status: '200' };
  const name = 'http_request_duration_seconds';
  assert.equal(valueOf(samples, `${name}_count`, reading), 3);
  assert.equal(valueOf(samples, `${name}_bucket`, { ...reading, le: '+Inf' }), 3);
  const classes = samples.filter(
    (one) => one.name === `${name}_bucket` && one.labels['route'] === reading.route,
  );
  const ok = classes.filter(({ labels }) => labels['status'] === '200').map(({ value }) => value);
  assert.deepEqual(
    ok,
    ok.toSorted((a, b) => a - b),
  );
  assert.ok(valueOf(samples, `${name}_sum`, reading) > 0);
  assert.equal(valueOf(samples, `${name}_count`, { ...reading, status: '404' }), 1);
  assert.equal(valueOf(samples, `${name}_count`, { route: 'none', status: '404' }), 1);
});

test('200 with the pipeline, the event loop, memory, the database, polls and uploads', async () => {
  const samples = await scrape(server);
  for (const name of [
    'colophon_pipeline_waiting',
    'colophon_pipeline_oldest_seconds',
    'colophon_pipeline_parked',
    'colophon_polls_waiting',
    'colophon_database_transactions_open',
    'colophon_database_transactions_waiting',
    'colophon_database_reads_open',
    'colophon_media_uploads_open',
    'colophon_media_upload_bytes_total',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ])
    assert.ok(valueOf(samples, name) >= 0, name);
});

test('waiting polls are counted while they wait', async () => {
  const human = await server.register();
  const poll = server.ask('GET', '/v1/events?wait=20', { token: human.token });
  await until(
    'the poll is counted',
    async () => valueOf(await scrape(server), 'colophon_polls_waiting') === 1,
  );
  const { id } = await server.published(human);
  await comment(server, await server.register(), id);
  assert.equal((await poll).status, 200);
  assert.equal(valueOf(await scrape(server), 'colophon_polls_waiting'), 0);
});

test('no label contains an id, a name or a word of a participant', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await server.ask('GET', `/v1/articles/${id}?limit=secretword`);
  await server.ask('GET', `/secretword/${human.username}`);
  const { body } = await server.ask('GET', '/metrics');
  for (const word of [id, human.id, human.username, human.token, 'secretword'])
    assert.ok(!String(body).includes(word), word);
});

test('a backlog is seen in /metrics and in /readyz', async () => {
  await using still = await startServer({ ROLE: 'web' });
  const human = await still.register();
  await still.published(human);
  const { count } = (await still.db.first(sql<{ count: number }>`
    select count(*) as count from outbox`)) ?? { count: 0 };
  assert.ok(count > 0);
  const samples = await scrape(still);
  assert.equal(valueOf(samples, 'colophon_pipeline_waiting'), count);
  assert.ok(valueOf(samples, 'colophon_pipeline_oldest_seconds') > 0);
  const { status, body } = await still.ask('GET', '/readyz');
  assert.equal(status, 200);
  assert.deepEqual(body.checks, { database: 'ok', pipeline: 'ok', disk: 'ok' });
  const { waiting, oldest_seconds: oldest, parked } = body.figures.pipeline;
  assert.deepEqual([waiting, parked], [count, 0]);
  assert.ok(oldest > 0);
});

test('200 for a process that serves requests while work waits for long; 503 unavailable where a worker is asked for', async () => {
  await using still = await startServer({ ROLE: 'web' });
  const human = await still.register();
  await still.published(human);
  await still.db.transaction((tx) =>
    tx.run(sql`
      -- every bucket: a test
      update outbox
      set created_at = created_at - interval '1 hour'`),
  );
  const { status, body } = await still.ask('GET', '/readyz');
  assert.equal(status, 200);
  assert.deepEqual(body.checks, { database: 'ok', pipeline: 'behind', disk: 'ok' });
  assert.ok(body.figures.pipeline.oldest_seconds > 3_000);
  const worker = await still.ask('GET', '/readyz?role=worker');
  assertProblem(worker, 'unavailable');
  assert.deepEqual(worker.body.checks, body.checks);
});

test('404 not-found for a request through a proxy', async () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host'])
    assertProblem(
      await server.ask('GET', '/metrics', { headers: { [name]: '127.0.0.1' } }),
      'not-found',
    );
});

test('404 not-found on a service with a public address, for every caller', async () => {
  await using open = await startServer({ BASE_URL: 'https://colophon.example' });
  const answer = await fetch(`http://127.0.0.1:${open.services.config.port}/metrics`);
  assert.equal(answer.status, 404);
  assert.ok(!(await answer.text()).includes('process_'));
});

test('404 not-found on a loopback address under the name of another site, as a rebinding page would ask', async () => {
  await using named = await startServer({ BASE_URL: 'http://colophon.example:8080' });
  const ask = async (on: TestServer, path: string, host: string) => {
    const port = on.services.config.port;
    const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', '', ''].join(
      '\r\n',
    );
    const parts = [Buffer.from(head)];
    const input = { parts, ending: 'close', bodiless: false, quietMs: 5_000 } as const;
    const [answer] = (await exchange(port, input)).answers;
    return answer ?? assert.fail();
  };
  for (const path of ['/metrics', '/readyz']) {
    for (const host of [
      'evil.example',
      'evil.example:8080',
      '127.0.0.1.evil.example',
      'localhost.evil',
    ]) {
      const answer = await ask(server, path, host);
      assert.equal(answer.status, 404, `${path} ${host}`);
      assert.equal(answer.headers.get('allow'), undefined);
      assert.match(answer.body.toString(), /This path does not exist/);
    }
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:8080', '[::1]:80'])
      assert.equal((await ask(server, path, host)).status, 200, `${path} ${host}`);
  }
  assert.equal((await ask(named, '/readyz', 'colophon.example:8080')).status, 200);
  assert.equal((await ask(named, '/readyz', 'other.example:8080')).status, 404);
  assert.equal((await ask(server, '/healthz', 'evil.example')).status, 200);
});

test('401 unauthenticated without the token that METRICS_TOKEN says, and 200 with it', async () => {
  await using guarded = await startServer({ METRICS_TOKEN: secret });
  for (const headers of [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: secret },
    { authorization: `Bearer ${secret}x` },
  ] as Record<string, string>[])
    assertProblem(await guarded.ask('GET', '/metrics', { headers }), 'unauthenticated');
  const forwarded = { authorization: `Bearer ${secret}`, 'x-forwarded-for': '203.0.113.9' };
  assert.ok((await scrape(guarded, forwarded)).length > 20);
});

test('METRICS_TOKEN that could be guessed stops the start, and is not quoted', () => {
  assert.throws(
    () => readConfig({ METRICS_TOKEN: 'short' }),
    (error: Error) => {
      assert.match(error.message, /^METRICS_TOKEN is malformed: set it to 16/);
      return !error.message.includes('short');
    },
  );
});
