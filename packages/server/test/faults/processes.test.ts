// Several processes on one port: exact limits, nothing lost when one ends or all are replaced, nothing left behind.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { slotsOf } from '../../src/supervise.ts';
import { effort } from '../effort.ts';
import { metricsIn, readAlerts, readPanels, readRunbook } from '../monitoring-files.ts';
import { until } from '../throw-away-database.ts';
import { descendantsOf, isAlive, signal } from './child-processes.ts';
import {
  countOf,
  hammer,
  linesWith,
  many,
  pidsOf,
  runningPidsOf,
  refusedIn,
  scrape,
  senderTo,
  serves,
} from './many-processes.ts';
import type { Json, Send } from './many-processes.ts';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

const timeout = 900_000;
const skip = process.platform !== 'linux' && 'it reads /proc, which only Linux has';
const registrations = 12;
const connections = 30;
const limits = {
  rates: {
    reads_per_minute: 10_000_000,
    writes_per_minute: 10_000_000,
    registrations_per_hour: registrations,
  },
  connections_per_address: connections,
};

let place: Place;
let server: ServerProcess;
let send: Send;
let folder: string;

before(async () => {
  place = await makePlace();
  send = senderTo(place);
  folder = await mkdtemp(join(tmpdir(), 'colophon-processes-'));
  const file = join(folder, 'limits.json');
  await writeFile(file, JSON.stringify(limits));
  server = place.start({ PROCESSES: '2', LIMITS: file, BACKUP_TO: folder });
  await server.ready(place.baseUrl);
  await until('all processes are ready', () => serves(server));
});

after(async () => {
  await place[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

let people = 0;
async function register(from: string): Promise<Json> {
  people += 1;
  const body = { username: `among-processes-${people}` };
  const { status, json } = await send('POST', '/v1/humans', { body, from });
  assert.equal(status, 201, JSON.stringify(json));
  return json;
}

test('the pipeline has a process of its own on two cores, and is in every process on one', () => {
  const namesFor = (role: 'all' | 'web' | 'worker', cores: number) =>
    slotsOf({ role, processes: 2 }, cores).map((slot) => `${slot.name} ${slot.role}`);
  assert.deepEqual(namesFor('all', 2), ['web-1 web', 'web-2 web', 'pipeline worker']);
  assert.deepEqual(namesFor('all', 1), ['web-1 all', 'web-2 all']);
  assert.deepEqual(namesFor('web', 2), ['web-1 web', 'web-2 web']);
  assert.deepEqual(namesFor('worker', 2), ['pipeline-1 worker', 'pipeline-2 worker']);
});

test(
  'N registrations at once are admitted exactly, whichever process answers',
  { timeout, skip },
  async () => {
    const all = await many(registrations * 4, (at) =>
      send('POST', '/v1/humans', { body: { username: `many-${at}-at-once` }, from: '127.0.0.2' }),
    );
    const { 201: made = 0, 429: refused = 0 } = countOf(all);
    assert.deepEqual([made, refused], [registrations, registrations * 3]);
    assert.equal(refusedIn(await scrape(place, 'colophon_processes_ready')), refused);
  },
);

test(
  'connections of an address are counted over both processes, which share them',
  { timeout, skip },
  async () => {
    const [first, second] = await runningPidsOf(server);
    const agents: Agent[] = [];
    // Which process takes a connection is up to the kernel: it is the other one while one is suspended.
    const connect = async (suspended: number, count: number) => {
      const agent = new Agent({ keepAlive: true });
      agents.push(agent);
      signal(suspended, 'SIGSTOP');
      try {
        const sent = { from: '127.0.0.3', agent, token: 'none' };
        return countOf(await many(count, () => send('GET', '/v1/events?wait=2', sent)));
      } finally {
        signal(suspended, 'SIGCONT');
      }
    };
    const half = connections / 2;
    assert.deepEqual(await connect(first, half), { 401: half });
    assert.deepEqual(await connect(second, connections), { 401: half, 429: half });
    for (const agent of agents) agent.destroy();
    await until('the address has connections left again', async () => {
      const { status } = await send('GET', '/v1/meta', { from: '127.0.0.3' });
      return status === 200;
    });
  },
);

test(
  'one key, one article; a poll hears what the other process wrote; a revoked token is over',
  { timeout, skip },
  async () => {
    const [author, reader] = [await register('127.0.0.4'), await register('127.0.0.4')];
    const from = '127.0.0.5';
    const key = crypto.randomUUID();
    const body = { title: 'Once', content: 'A text.' };
    const sent = { token: author['token'] as string, from };
    const made = await many(16, () => send('POST', '/v1/articles', { ...sent, key, body }));
    assert.ok(
      made.every(({ status }) => status === 201 || status === 409),
      JSON.stringify(countOf(made)),
    );
    const ids = new Set(made.filter(({ status }) => status === 201).map(({ json }) => json['id']));
    assert.equal(ids.size, 1);
    const [id] = ids;
    await send('POST', `/v1/articles/${id}/publish`, { ...sent, body: {} });

    const polls = many(8, () => send('GET', '/v1/events?wait=20', sent));
    const comment = { content: 'A comment.' };
    const written = await send('POST', `/v1/articles/${id}/comments`, {
      token: reader['token'] as string,
      from,
      body: comment,
    });
    assert.equal(written.status, 201, JSON.stringify(written.json));
    for (const { status, json } of await polls) {
      assert.equal(status, 200);
      assert.ok(json['items'].length > 0, 'the wait ended with an event');
    }

    const token = { principal_id: author['id'], name: 'short', scopes: ['articles:write'] };
    const issued = await send('POST', '/v1/tokens', { ...sent, body: token });
    assert.equal(issued.status, 201, JSON.stringify(issued.json));
    const short = { token: String(issued.json['token']), from };
    assert.equal((await send('GET', '/v1/me', short)).status, 200);
    const gone = await send('DELETE', `/v1/tokens/${issued.json['id']}`, sent);
    assert.ok(gone.status === 204 || gone.status === 200, JSON.stringify(gone));
    const late = await many(16, () => send('GET', '/v1/me', short));
    assert.deepEqual(countOf(late), { 401: 16 });
  },
);

/** Answers to `/v1/meta` that the metrics of all processes count. */
const answeredIn = (text: string): number =>
  Number(/_seconds_count\{.*route="\/v1\/meta",status="200"\} (\d+)$/m.exec(text)?.[1] ?? 0);

test('SIGUSR2 replaces every process, and no request fails', { timeout, skip }, async () => {
  const counted = answeredIn(await scrape(place, 'colophon_processes_ready'));
  const clients = hammer(send, 6);
  for (let round = 1; round <= effort(1, 5); round += 1) {
    const old = [...pidsOf(server), ...pidsOf(server, 'worker')];
    server.kill('SIGUSR2');
    await until('all are replaced', () => linesWith(server, 'was replaced').length === round);
    await until('the old ones have ended', () => !old.some(isAlive));
  }
  await clients.stop();
  assert.deepEqual(
    Object.keys(countOf(clients.outcomes)),
    ['200'],
    JSON.stringify(countOf(clients.outcomes)),
  );
  assert.ok(clients.outcomes.length > 20);
  const text = await scrape(place, 'colophon_processes_ready');
  assert.equal(answeredIn(text) - counted, clients.outcomes.length, 'all are in the metrics');
});

test(
  'kill -9 of a process under load cuts its own requests only; another one takes its place',
  { timeout, skip },
  async () => {
    const clients = hammer(send, 6);
    const [first] = await runningPidsOf(server);
    const before = pidsOf(server).length;
    const enough = clients.outcomes.length + 20;
    await until('the clients read', () => clients.outcomes.length > enough);
    signal(first, 'SIGKILL');
    await until('another one is ready', () => pidsOf(server).length > before);
    await clients.stop();
    const { 200: answered = 0, ECONNRESET: reset = 0, ...odd } = countOf(clients.outcomes);
    assert.deepEqual(odd, {}, 'none was refused');
    assert.ok(answered > 20);
    assert.ok(reset <= 6, `${reset} requests were cut: at most one for each client`);
    const lines = linesWith(server, 'A process ended unexpectedly');
    assert.equal(lines.filter((line) => line['pid'] === first).length, 1);
  },
);

test('one scrape has the figures of every process', { timeout, skip }, async () => {
  await many(20, () => send('GET', '/v1/meta', { from: '127.0.0.6' }));
  const text = await scrape(place, 'colophon_backup_failed');
  const processes = [
    ...text.matchAll(/^process_resident_memory_bytes\{process="([^"]+)"\} \d+$/gm),
  ];
  const names = processes.map(([, name = '']) => name).toSorted((a, b) => (a < b ? -1 : 1));
  assert.deepEqual(names, ['pipeline', 'supervisor', 'web-1', 'web-2']);
  assert.match(text, /^colophon_processes_ready 3$/m);
  assert.match(text, /^colophon_processes_expected 3$/m);
  assert.equal(refusedIn(text), registrations * 3, 'counted by processes that have ended');
  const ended = /^colophon_processes_replaced_total\{reason="ended"\} (\d+)$/m.exec(text)?.[1];
  assert.equal(Number(ended), linesWith(server, 'A process ended unexpectedly').length);
  const answers = [
    ...text.matchAll(
      /^http_request_duration_seconds_count\{.*route="\/v1\/meta",status="200"\} (\d+)$/gm,
    ),
  ];
  assert.equal(answers.length, 1, 'one series for all processes');
  assert.ok(Number(answers[0]?.[1]) >= 20);
  assert.equal([...text.matchAll(/^colophon_pipeline_parked 0$/gm)].length, 1);

  const served = new Set([...text.matchAll(/^(\w+)[{ ]/gm)].map(([, name = '']) => name));
  const [alerts, panels] = [await readAlerts(), await readPanels()];
  // Prometheus writes one for every target; the other appears with the first backup.
  served.add('up').add('colophon_backup_age_seconds');
  const unknown = [...alerts, ...panels].flatMap((asked) =>
    metricsIn(asked).filter((name) => !served.has(name)),
  );
  assert.deepEqual(unknown, [], 'deploy/monitoring names only metrics that are served');
  assert.deepEqual(
    await readRunbook(),
    alerts.map(({ name }) => name),
    'docs/running.md lists every alert',
  );
});

test(
  'kill -9 of the process of the pipeline: another one takes its place',
  { timeout, skip },
  async () => {
    const before = pidsOf(server, 'worker');
    signal(before.at(-1) ?? 0, 'SIGKILL');
    await until('another one is ready', () => pidsOf(server, 'worker').length > before.length);
  },
);

test('a process that does not respond is killed and replaced', { timeout, skip }, async () => {
  const [stopped] = await runningPidsOf(server);
  const before = pidsOf(server).length;
  signal(stopped, 'SIGSTOP');
  await until('another one is ready', () => pidsOf(server).length > before);
  assert.equal(isAlive(stopped), false);
  const lines = linesWith(server, 'does not respond');
  assert.equal(lines.filter((line) => line['pid'] === stopped).length, 1);
});

test('SIGTERM: what is under way is answered, and nothing is left', { timeout, skip }, async () => {
  const all = await descendantsOf(server.pid);
  assert.ok(all.length > 4, 'three processes and a database');
  const { token } = await register('127.0.0.4');
  const waiting = async () => {
    const text = await scrape(place, 'colophon_backup_failed');
    return Number(/^colophon_polls_waiting (\d+)$/m.exec(text)?.[1]);
  };
  const polls = many(4, () => send('GET', '/v1/events?wait=20', { token: String(token) }));
  await until('the polls wait', async () => (await waiting()) === 4);
  server.kill('SIGTERM');
  assert.deepEqual(countOf(await polls), { 200: 4 });
  assert.equal((await server.ended).code, 0, server.complaint());
  assert.ok(!all.some(isAlive));
  assert.equal(await place.databaseRuns(), false);
});
