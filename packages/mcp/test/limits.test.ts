// Limits over HTTP: sessions and streams, and a watch of events that ends with its request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, startScript } from '../../sdk/test/scripted-server.ts';
import type { Turn } from '../../sdk/test/scripted-server.ts';
import { until } from '../../server/test/throw-away-database.ts';
import { serveHttp } from '../src/http.ts';
import { httpLimits } from '../src/limits.ts';
import type { HttpLimits } from '../src/limits.ts';
import { readSettings } from '../src/settings.ts';

/** A service without news. `polls` are the requests for events that it has not answered. */
async function quietService() {
  const polls = new Set<unknown>();
  const answer: Turn = (request, response) => {
    if (!request.url.startsWith('/v1/events')) {
      json(200, { events: { items: [], next_cursor: null } })(request, response);
      return;
    }
    polls.add(response);
    response.on('close', () => polls.delete(response));
  };
  return { service: await startScript(answer), polls };
}

function startHost(baseUrl: string, limits: HttpLimits = httpLimits) {
  const settings = readSettings(['--http', '--port', '0'], { COLOPHON_URL: baseUrl });
  assert.ok(settings.http);
  return serveHttp(settings, settings.http, limits);
}

interface Asked {
  readonly body: object;
  readonly headers?: Record<string, string>;
}

const accept = 'application/json, text/event-stream';

function post(url: string, { body, headers = {} }: Asked): Promise<Response> {
  const all = { 'content-type': 'application/json', accept, ...headers };
  return fetch(url, {
    method: 'POST',
    headers: all,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  });
}

const clientInfo = { name: 'test', version: '1' };
const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};

/** Begins a session; returns its header. */
async function begin(
  url: string,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const response = await post(url, { body: initialize, headers });
  assert.equal(response.status, 200);
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

async function list(url: string, headers: Record<string, string>): Promise<number> {
  const response = await post(url, { body: { method: 'tools/list', params: {} }, headers });
  await response.text();
  return response.status;
}

const version = '2026-07-28';

function listen(url: string, claimed = version, token?: string): Promise<Response> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const notifications = { resourceSubscriptions: ['colophon://events'] };
  return post(url, {
    body: { method: 'subscriptions/listen', params: { notifications, _meta: meta } },
    headers: {
      'mcp-method': 'subscriptions/listen',
      'mcp-protocol-version': claimed,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
}

test('a subscription that is answered with an error leaves no watch of events', async () => {
  const { service, polls } = await quietService();
  await using _ = service;
  await using host = await startHost(service.baseUrl);
  const refused = await listen(host.url, '2025-11-25');
  assert.equal(refused.status, 400, await refused.text());
  // A watch that was left would begin before this one, and stay.
  const other = await listen(host.url);
  await until('a watch is open', () => polls.size > 0);
  await other.body?.cancel();
  await until('no watch is open', () => polls.size === 0);
});

test('at the limit of streams the next one gets 503; one that ends makes room', async () => {
  const { service, polls } = await quietService();
  await using _ = service;
  await using host = await startHost(service.baseUrl, { ...httpLimits, streams: 2 });
  const session = await begin(host.url);
  const first = await listen(host.url);
  const headers = { accept: 'text/event-stream', ...session };
  const second = await fetch(host.url, { headers });
  assert.deepEqual([first.status, second.status], [200, 200]);
  for (const third of [await listen(host.url), await fetch(host.url, { headers })]) {
    assert.equal(third.status, 503);
    assert.equal(third.headers.get('retry-after'), '60');
    await third.text();
  }
  await until('one watch is open', () => polls.size === 1);
  await first.body?.cancel();
  await until('no watch is open', () => polls.size === 0);
  const next = await listen(host.url);
  assert.equal(next.status, 200);
  await next.body?.cancel();
  await second.body?.cancel();
});

test('a caller has a limit of its own, in both revisions; another caller has room', async () => {
  const { service, polls } = await quietService();
  await using _ = service;
  await using host = await startHost(service.baseUrl, { ...httpLimits, streamsPerCaller: 2 });
  const authorization = 'Bearer one';
  const session = await begin(host.url, { authorization });
  const first = await listen(host.url, version, 'one');
  const headers = { accept: 'text/event-stream', authorization, ...session };
  const second = await fetch(host.url, { headers });
  const others = [await listen(host.url, version, 'two'), await listen(host.url)];
  for (const opened of [first, second, ...others]) assert.equal(opened.status, 200);
  for (const third of [
    await listen(host.url, version, 'one'),
    await fetch(host.url, { headers }),
  ]) {
    assert.equal(third.status, 429);
    assert.equal(third.headers.get('retry-after'), '60');
    assert.match(await third.text(), /This token has 2 open streams.*Close one before/);
  }
  await until('three watches are open', () => polls.size === 3);
  await first.body?.cancel();
  await until('two watches are open', () => polls.size === 2);
  const next = await listen(host.url, version, 'one');
  assert.equal(next.status, 200);
  for (const open of [next, second, ...others]) await open.body?.cancel();
});

test('a flood of new sessions ends no session in use', async () => {
  const { service } = await quietService();
  await using _ = service;
  const limits = { ...httpLimits, sessions: 2 };
  await using host = await startHost(service.baseUrl, limits);
  const streaming = await begin(host.url);
  const stream = await fetch(host.url, { headers: { accept: 'text/event-stream', ...streaming } });
  const other = await begin(host.url);
  const refused = await post(host.url, { body: initialize });
  assert.equal(refused.status, 503, await refused.text());
  assert.equal(refused.headers.get('retry-after'), '60');
  assert.equal(await list(host.url, other), 200);
  limits.unusedMs = 0;
  const later = await begin(host.url);
  assert.equal(await list(host.url, other), 404, 'it was unused');
  assert.equal(await list(host.url, streaming), 200, 'it has a stream');
  assert.equal(await list(host.url, later), 200);
  await stream.body?.cancel();
});

test('an idle session ends, one with an open stream does not', async () => {
  const { service } = await quietService();
  await using _ = service;
  // How often sessions are looked at is fixed when the host starts.
  const limits = { ...httpLimits, idleMs: 20 };
  await using host = await startHost(service.baseUrl, limits);
  limits.idleMs = httpLimits.idleMs;
  const streaming = await begin(host.url);
  const stream = await fetch(host.url, { headers: { accept: 'text/event-stream', ...streaming } });
  const idle = await begin(host.url);
  assert.equal(await list(host.url, idle), 200);
  limits.idleMs = 0;
  await until('it has ended', async () => (await list(host.url, idle)) === 404);
  assert.equal(await list(host.url, streaming), 200);
  await stream.body?.cancel();
});
