// Stopping, and starting wrongly: no request is cut, nothing is left running, and each refusal is one sentence.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cloneDatabase } from '../database.ts';
import { until } from '../throw-away-database.ts';
import { makePlace, startProcess } from './server-process.ts';
import type { Place } from './server-process.ts';

let place: Place;

before(async () => {
  place = await makePlace();
});

after(async () => {
  await place[Symbol.asyncDispose]();
});

const json = { 'content-type': 'application/json' };

async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(place.baseUrl + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
}

/** Whether `text` is one sentence for the operator that holds all of `parts`. */
function assertSentence(text: string, parts: readonly string[]): void {
  assert.match(text, /^Colophon cannot start\. [^\n]+\n$/, `one line: ${text}`);
  assert.doesNotMatch(text, /\n\s+at /, 'no stack');
  for (const part of parts) assert.ok(text.includes(part), `${part} in: ${text}`);
}

/** Starts with these settings, expecting that it will not. */
async function refusal(settings: Readonly<Record<string, string>>): Promise<string> {
  const server = startProcess(place.folder, { DATA_DIR: join(place.folder, 'unused'), ...settings });
  const { code } = await server.ended;
  assert.equal(code, 1, `exit code with ${JSON.stringify(settings)}: ${server.complaint()}`);
  return server.complaint();
}

type Headers = Readonly<Record<string, string>>;

/** One creation on a connection of its own: the status, `cut` for half an answer, or the code of the error. */
function write(title: string, headers: Headers): Promise<number | string> {
  return new Promise((resolve) => {
    const options = { method: 'POST', agent: false, headers: { ...json, ...headers, 'idempotency-key': crypto.randomUUID() } };
    const sent = request(`${place.baseUrl}/v1/articles`, options, (message) => {
      message.resume().on('close', () => resolve(message.complete ? (message.statusCode ?? 0) : 'cut'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    sent.end(JSON.stringify({ title, content: 'Text.' }));
  });
}

/** Clients that write until nobody listens any more: what became of each title. */
function startClients(count: number, headers: Headers) {
  const outcomes = new Map<string, number | string>();
  let refused = false;
  const all = Array.from({ length: count }, async (_, client) => {
    for (let turn = 0; !refused; turn += 1) {
      const title = `many ${client}-${turn}`;
      const outcome = await write(title, headers);
      outcomes.set(title, outcome);
      refused = outcome === 'ECONNREFUSED';
    }
  });
  return { outcomes, finished: Promise.all(all) };
}

/** A revision that waits for a lock which `release` gives back. */
async function heldRevision(headers: Headers): Promise<{ answer: Promise<Response>; release: () => Promise<void> }> {
  const keyed = () => ({ ...headers, 'idempotency-key': crypto.randomUUID() });
  const draft = (await (await post('/v1/articles', { title: 'held', content: 'Text.' }, keyed())).json()) as Record<string, string>;
  const holder = await place.connect();
  await holder.query('begin');
  await holder.query('select from articles where id = $1 for update', [draft['id']]);
  const answer = post(`/v1/articles/${draft['id']}/revisions`, { content: 'Other.', expected_revision_id: draft['revision_id'] }, keyed());
  await until('the revision waits for its lock', async () => (await holder.query('select from pg_locks where not granted')).rows.length > 0);
  return {
    answer,
    release: async () => {
      await holder.query('commit');
      await holder.end();
    },
  };
}

async function titlesWritten(): Promise<readonly string[]> {
  const server = place.start();
  await server.ready(place.baseUrl);
  const client = await place.connect();
  const { rows } = await client.query<{ title: string }>(`
    select c.title from revisions r
    join contents c on c.bucket = r.bucket and c.hash = r.content_hash where c.title like 'many %'`);
  await client.end();
  server.kill('SIGTERM');
  await server.ended;
  return rows.map((row) => row.title);
}

test('SIGTERM: what is under way is answered, then the server ends with 0 and its database too', { timeout: 60_000 }, async (t) => {
  const server = place.start();
  await server.ready(place.baseUrl);
  const { token } = (await (await post('/v1/humans', { username: 'stopping-person' })).json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const held = await heldRevision(headers);
  const { outcomes, finished } = startClients(8, headers);
  await until('the clients write', () => outcomes.size > 40);
  const idle = connect(place.port, '127.0.0.1').on('error', () => undefined);
  await once(idle, 'connect');
  const stoppedAt = performance.now();
  server.kill('SIGTERM');
  await finished;
  await held.release();
  const answer = await held.answer;
  assert.equal(answer.status, 201, await answer.text());
  assert.equal((await server.ended).code, 0, server.complaint());
  const tookMs = performance.now() - stoppedAt;
  assert.ok(tookMs < 10_000, `it took ${tookMs} ms`);
  assert.equal(await place.databaseRuns(), false);
  idle.destroy();
  const with201 = [...outcomes].filter(([, outcome]) => outcome === 201).map(([title]) => title);
  const odd = [...outcomes].filter(([, outcome]) => ![201, 'ECONNREFUSED', 'ECONNRESET'].includes(outcome));
  assert.deepEqual(odd, [], 'answered in full, or not taken at all');
  assert.deepEqual((await titlesWritten()).toSorted(), with201.toSorted(), 'what was answered is there, and what was not is not');
  t.diagnostic(`stopped in ${Math.round(tookMs)} ms; ${with201.length} of ${outcomes.size} were answered`);
});

test('SIGTERM: a client that never finishes its request does not hold the server beyond 10 s', { timeout: 60_000 }, async (t) => {
  const server = place.start();
  await server.ready(place.baseUrl);
  const slow = [`POST /v1/humans HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`, 'GET / HTTP/1.1\r\nHost: x\r\n'].map((text) => {
    const socket = connect(place.port, '127.0.0.1', () => socket.write(text));
    return socket.on('error', () => undefined);
  });
  await Promise.all(slow.map((socket) => once(socket, 'connect')));
  // Both have arrived when a later request on another connection is answered.
  assert.equal((await fetch(`${place.baseUrl}/healthz`)).status, 200);
  const stoppedAt = performance.now();
  server.kill('SIGTERM');
  const { code } = await server.ended;
  const tookMs = performance.now() - stoppedAt;
  assert.equal(code, 0);
  assert.ok(tookMs < 10_500, `it took ${tookMs} ms`);
  assert.equal(await place.databaseRuns(), false);
  t.diagnostic(`stopped in ${Math.round(tookMs)} ms`);
});

test('a second server on the same folder refuses with a sentence, the first goes on', { timeout: 60_000 }, async () => {
  const first = place.start();
  await first.ready(place.baseUrl);
  assertSentence(await refusal({ PORT: '0', DATA_DIR: place.dataDir }), ['already works on', place.dataDir]);
  assert.equal((await fetch(`${place.baseUrl}/readyz`)).status, 200);
  first.kill('SIGTERM');
  assert.equal((await first.ended).code, 0);
});

test('a port in use is named, and the database that was started for it ends', { timeout: 60_000 }, async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  const server = place.start({ PORT: String(port) });
  assert.equal((await server.ended).code, 1);
  assertSentence(server.complaint(), [String(port), 'PORT']);
  await until('its database ends', async () => !(await place.databaseRuns()));
  squatter.close();
});

test('PORT=0 takes a free port and prints the address', { timeout: 60_000 }, async () => {
  const server = place.start({ PORT: '0' });
  const said = () => server.log.map((line) => /http:\/\/127\.0\.0\.1:(\d+)/.exec(line.msg ?? '')?.[0]).find((url) => url !== undefined);
  await until('the address is printed', () => said() !== undefined);
  const baseUrl = said() ?? '';
  assert.notEqual(new URL(baseUrl).port, '');
  const meta = (await (await fetch(`${baseUrl}/v1/meta`)).json()) as { base_url: string };
  assert.equal(meta.base_url, baseUrl);
  server.kill('SIGINT');
  assert.equal((await server.ended).code, 0);
});

test('two servers that start at once on one empty database both come up, and it is migrated once', { timeout: 60_000 }, async () => {
  await using database = await cloneDatabase();
  const { host, port, user, database: name } = database.connection;
  const { Client } = (await import('pg')).default;
  const client = new Client({ host, port, user, database: name });
  await client.connect();
  await client.query('drop schema public cascade; create schema public; drop schema if exists graphile_worker cascade');
  const url = `postgres://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
  const servers = [1, 2].map((number) => place.start({ DATABASE_URL: url, PORT: '0', DATA_DIR: join(place.folder, `shared-${number}`) }));
  const said = (server: (typeof servers)[number]) => server.log.find((line) => line.msg?.includes('serves on'));
  const states = () => servers.map((server) => server.complaint()).join('');
  await until(`both serve ${states()}`, () => servers.every((server) => said(server) !== undefined || server.complaint() !== ''), 30_000);
  assert.equal(states(), '');
  const migrated = servers.flatMap((server) => server.log.filter((line) => 'migration' in line).map((line) => line['migration']));
  assert.equal(new Set(migrated).size, migrated.length, 'each migration ran in one of them');
  assert.ok(migrated.length > 0);
  for (const server of servers) server.kill('SIGTERM');
  for (const server of servers) assert.equal((await server.ended).code, 0);
  await client.end();
});

test('a wrong setting stops the start with one sentence that names it', { timeout: 60_000 }, async () => {
  const broken = join(place.folder, 'broken.json');
  await writeFile(broken, '{"rates": {"reads_per_minute": "many"}}');
  const cases: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{ PORT: 'abc' }, 'PORT'], [{ PORT: '65536' }, 'PORT'], [{ PORT: '-1' }, 'PORT'], [{ PORT: '' }, 'PORT'],
    [{ DATABASE_URL: 'mysql://a:secret@b/c' }, 'DATABASE_URL'], [{ BASE_URL: 'http://a.example/' }, 'BASE_URL'], [{ BASE_URL: 'nowhere' }, 'BASE_URL'],
    [{ ERRORS_BASE_URL: 'ftp://a.example' }, 'ERRORS_BASE_URL'], [{ LIMITS: 'nofile.json' }, 'LIMITS'], [{ LIMITS: broken }, 'LIMITS'],
    [{ ROLE: 'king' }, 'ROLE'], [{ REGISTRATION: 'maybe' }, 'REGISTRATION'], [{ DEPLOYMENT: 'prod' }, 'DEPLOYMENT'], [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ PORT: '0', DATA_DIR: broken }, broken], [{ PORT: '0', HOST: 'no-such-host.invalid' }, 'HOST'], [{ PORT: '0', DATABASE_URL: 'postgres://localhost:1/none' }, 'DATABASE_URL'],
  ];
  const failures: string[] = [];
  for (let at = 0; at < cases.length; at += 2) {
    await Promise.all(cases.slice(at, at + 2).map(async ([settings, name]) => {
      const said = await refusal(settings);
      try {
        assertSentence(said, [name]);
        assert.doesNotMatch(said, /secret/);
      } catch (error) {
        failures.push(`${JSON.stringify(settings)}: ${(error as Error).message}`);
      }
    }));
  }
  assert.deepEqual(failures, []);
});
