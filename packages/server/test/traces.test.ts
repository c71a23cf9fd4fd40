// Traces: one publication from its request to its subscribers, nothing that anybody wrote in any span, and a collector
// that is dead or slow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlace } from './faults/server-process.ts';
import type { Place } from './faults/server-process.ts';
import { until } from './throw-away-database.ts';
import { attributeOf, startCollector } from './trace-collector.ts';
import type { SentSpan } from './trace-collector.ts';

const secrets = {
  title: 'Plantedtitle',
  content: 'Plantedcontent',
  username: 'planted-username',
  address: '203.0.113.77',
  agent: 'PlantedAgent/1',
  requestId: 'planted-request-id',
  state: 'planted=state',
  word: 'plantedword',
  key: 'planted-idempotency-key',
  header: 'plantedcollectorkey',
} as const;
const above = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${above.traceId}-${above.spanId}-01`;

/** Reports each module of the libraries for traces that the process loads. */
const watching = `import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) => {
  if (name.includes('opentelemetry')) console.log(JSON.stringify({ msg: 'loaded ' + name }));
  return next(name, context);
} });`;
const watched = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(watching)}`,
} as const;
const isLoading = ({ msg }: { readonly msg?: string }) => msg?.startsWith('loaded ') === true;

type Body = Readonly<Record<string, string>>;

async function ask(
  place: Place,
  [method, path, body]: readonly [string, string, object?],
  headers: Readonly<Record<string, string>> = {},
): Promise<Body> {
  const answer = await fetch(path.startsWith('http') ? path : place.baseUrl + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'user-agent': secrets.agent,
      'x-forwarded-for': secrets.address,
      connection: 'close',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return text.startsWith('{') ? (JSON.parse(text) as Body) : {};
}

/** Asserts that there is one such span below the parent, and returns it. */
function below(spans: readonly SentSpan[], parent: string, name: string): SentSpan {
  const found = spans.filter((one) => one.parentSpanId === parent && one.name === name);
  assert.equal(found.length, 1, `${name} in ${spans.map((one) => one.name).join(', ')}`);
  return found[0] as SentSpan;
}

test('a publication is one trace, from the request over its statements to its subscribers', async () => {
  await using collector = await startCollector();
  await using place = await makePlace();
  const server = place.start({
    ...watched,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${secrets.header}`,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_SERVICE_NAME: 'traced',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  await server.ready(place.baseUrl);
  assert.ok(server.log.some(isLoading), 'the check of what is loaded works');
  const proxied = { ...place, baseUrl: `http://127.0.0.1:${place.port}` };
  const { id, token = '' } = await ask(proxied, [
    'POST',
    '/v1/humans',
    { username: secrets.username },
  ]);
  const own = { authorization: `Bearer ${token}`, 'idempotency-key': secrets.key };
  const made = { title: secrets.title, content: secrets.content };
  const draft = await ask(proxied, ['POST', '/v1/articles', made], own);
  const published = await ask(proxied, ['POST', `/v1/articles/${draft['id']}/publish`, {}], {
    ...own,
    'idempotency-key': `${secrets.key}-2`,
    traceparent,
    tracestate: secrets.state,
    'x-request-id': secrets.requestId,
  });
  assert.equal(published['id'], draft['id'], JSON.stringify(published));

  // A stranger's trace is not continued, and what fails says nothing of what was sent.
  const stranger = `http://[::1]:${place.port}/v1/search?q=${secrets.word}`;
  await ask(place, ['GET', stranger], { traceparent });
  await ask(place, ['POST', '/v1/humans', { username: secrets.username }]);
  await ask(place, ['GET', `/${secrets.word}`]);
  await ask(place, ['POST', '/v1/articles', { ...made, [secrets.word]: 1 }], own);

  const inTrace = () => collector.spans().filter((one) => one.traceId === above.traceId);
  const jobs = ['indexArticle', 'placeInFeed', 'placeInSitemap', 'renderContent'].map(
    (name) => `article.changed:${name}`,
  );
  await until('its subscribers have run', async () =>
    jobs.every((name) => inTrace().some((one) => one.name === name)),
  );
  await until('the other requests were sent', async () =>
    collector.spans().some((one) => one.name === 'GET'),
  );

  const spans = inTrace();
  const request = below(spans, above.spanId, 'POST /v1/articles/:id/publish');
  assert.equal(request.kind, 2);
  assert.equal(Number(attributeOf(request, 'http.response.status_code')), 200);
  assert.equal(attributeOf(request, 'colophon.request_id'), undefined);
  const operation = below(spans, request.spanId, 'publishArticle');
  const transaction = below(spans, operation.spanId, 'transaction');
  const statements = spans.filter((one) => one.parentSpanId === transaction.spanId);
  const named = statements.filter((one) =>
    /^c[0-9a-f]{24}$/.test(String(attributeOf(one, 'colophon.statement'))),
  );
  assert.ok(named.length >= 4, `${statements.map((one) => one.name).join(', ')}`);
  assert.ok(named.some((one) => one.name === 'insert outbox'));
  const message = below(spans, transaction.spanId, 'outbox article.changed');
  for (const name of jobs) {
    const job = below(spans, message.spanId, name);
    assert.equal(job.kind, 5);
    assert.ok(
      spans.some((one) => one.parentSpanId === job.spanId),
      `${name} has statements`,
    );
  }
  const linked = collector.spans().find((one) => one.name === 'GET /v1/search');
  assert.notEqual(linked?.traceId, above.traceId);
  assert.deepEqual(
    linked?.links.map((one) => one.spanId),
    [above.spanId],
  );
  assert.match(String(linked && attributeOf(linked, 'colophon.request_id')), /^[0-9a-f-]{36}$/);
  assert.ok(collector.paths.every((path) => path === '/v1/traces'));
  assert.ok(collector.headers.every((one) => one['x-api-key'] === secrets.header));
  assert.ok(collector.resources().some((one) => one.value.stringValue === 'traced'));

  server.kill('SIGTERM');
  assert.equal((await server.ended).code, 0);
  // Whatever had begun has ended now.
  const ended = inTrace();
  const ids = new Set([above.spanId, ...ended.map((one) => one.spanId)]);
  assert.deepEqual(
    ended.filter((one) => !ids.has(one.parentSpanId ?? '')).map((one) => one.name),
    [],
    'no span is without its parent',
  );
  const told = collector.bodies.join('\n');
  const ofParticipants = [...Object.values(secrets), token, id ?? '', draft['id'] ?? ''];
  assert.ok(ofParticipants.every((one) => one.length > 8));
  assert.deepEqual(
    ofParticipants.filter((one) => told.toLowerCase().includes(one.toLowerCase())),
    [],
  );
});

test('a collector that is dead, or never answers, delays neither an answer nor the stop', async () => {
  await using place = await makePlace();
  await using silent = await startCollector(() => undefined);
  const dead = await startCollector();
  await dead[Symbol.asyncDispose]();
  for (const url of [dead.url, silent.url]) {
    const server = place.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_TIMEOUT: url === silent.url ? '60000' : '500',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_BSP_MAX_QUEUE_SIZE: '64',
    });
    await server.ready(place.baseUrl);
    for (let turn = 0; turn < 100; turn += 1) await ask(place, ['GET', '/v1/feed']);
    const drops = () => server.log.filter(({ msg }) => msg?.startsWith('The collector of traces'));
    if (url === dead.url) await until('the log says so', async () => drops().length > 0);
    else await until('it was sent spans', async () => silent.bodies.length > 0);
    server.kill('SIGTERM');
    // After ten seconds it would exit with 1.
    assert.equal((await server.ended).code, 0, JSON.stringify(server.log.slice(-5)));
    assert.ok(drops().length <= 1, 'the log says it once');
  }
});

test('without the setting, nothing of it is loaded', async () => {
  await using place = await makePlace();
  const server = place.start({ ...watched, OTEL_SERVICE_NAME: 'unused' });
  await server.ready(place.baseUrl);
  await ask(place, ['GET', '/v1/feed']);
  assert.deepEqual(server.log.filter(isLoading), []);
});
