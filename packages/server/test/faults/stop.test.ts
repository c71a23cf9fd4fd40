// Stopping under load: no request is cut, and nothing is left running.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '#database';
import { quiet, until } from '../throw-away-database.ts';
import { makePlace, unkept } from './server-process.ts';
import type { Place } from './server-process.ts';

const quickStop = fileURLToPath(import.meta.resolve('./quick-stop.ts'));
const json = { 'content-type': 'application/json' };

async function post(
  place: Place,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(place.baseUrl + path, {
    method: 'POST',
    headers: { ...json, ...unkept, ...headers },
    body: JSON.stringify(body),
  });
}

type Headers = Readonly<Record<string, string>>;

/** One creation on a connection of its own: the status, `cut` for half an answer, or the code of the error. */
function write(place: Place, title: string, headers: Headers): Promise<number | string> {
  return new Promise((resolve) => {
    const options = {
      method: 'POST',
      agent: false,
      headers: { ...json, ...headers, 'idempotency-key': crypto.randomUUID() },
    };
    const sent = request(`${place.baseUrl}/v1/articles`, options, (message) => {
      message
        .resume()
        .on('close', () => resolve(message.complete ? (message.statusCode ?? 0) : 'cut'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    sent.end(JSON.stringify({ title, content: 'Text.' }));
  });
}

/** Clients that write until no server listens any more: the outcome of each title. */
function startClients(place: Place, count: number, headers: Headers) {
  const outcomes = new Map<string, number | string>();
  let refused = false;
  const all = Array.from({ length: count }, async (_, client) => {
    for (let turn = 0; !refused; turn += 1) {
      const title = `many ${client}-${turn}`;
      const outcome = await write(place, title, headers);
      outcomes.set(title, outcome);
      refused = outcome === 'ECONNREFUSED';
    }
  });
  return { outcomes, finished: Promise.all(all) };
}

/** A revision that waits for a lock which `release` gives back. */
async function heldRevision(
  place: Place,
  headers: Headers,
): Promise<{ answer: Promise<Response>; release: () => Promise<void> }> {
  const keyed = () => ({ ...headers, 'idempotency-key': crypto.randomUUID() });
  const draft = (await (
    await post(place, '/v1/articles', { title: 'held', content: 'Text.' }, keyed())
  ).json()) as Record<string, string>;
  const holder = await place.connect();
  await holder.query('begin');
  await holder.query('select from articles where id = $1 for update', [draft['id']]);
  const answer = post(
    place,
    `/v1/articles/${draft['id']}/revisions`,
    { content: 'Other.', expected_revision_id: draft['revision_id'] },
    keyed(),
  );
  // Another session looks: in a transaction each look at the sessions shows what the first one saw.
  const observer = await place.connect();
  await until('the revision waits for its lock', async () => {
    const { rows } = await observer.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%from articles%'`,
    );
    return rows.length > 0;
  });
  await observer.end();
  return {
    answer,
    release: async () => {
      await holder.query('commit');
      await holder.end();
    },
  };
}

async function titlesWritten(place: Place): Promise<readonly string[]> {
  await using _database = await startEmbedded({ dataDir: place.dataDir, log: quiet });
  const client = await place.connect();
  const { rows } = await client.query<{ title: string }>(`
    select c.title from revisions r
    join contents c on c.bucket = r.bucket and c.hash = r.content_hash where c.title like 'many %'`);
  await client.end();
  return rows.map((row) => row.title);
}

// Each on a server of its own.
describe('SIGTERM under load', { concurrency: 2 }, () => {
  test(
    'SIGTERM: what is under way is answered, then the server ends with 0 and its database too',
    { timeout: 900_000 },
    async (t) => {
      await using place = await makePlace();
      const server = place.start();
      await server.ready(place.baseUrl);
      const { token } = (await (
        await post(place, '/v1/humans', { username: 'stopping-person' })
      ).json()) as { token: string };
      const headers = { authorization: `Bearer ${token}` };
      const { outcomes, finished } = startClients(place, 8, headers);
      await until('the clients write', () => outcomes.size > 40);
      const idle = connect(place.port, '127.0.0.1').on('error', () => undefined);
      await once(idle, 'connect');
      // Nothing else comes between: its wait for the lock ends by itself after five seconds.
      const held = await heldRevision(place, headers);
      const stoppedAt = performance.now();
      server.kill('SIGTERM');
      await until('it stops', () => server.log.some(({ msg }) => msg === 'The server stops.'));
      await held.release();
      const answer = await held.answer;
      await finished;
      assert.equal(answer.status, 201, await answer.text());
      assert.equal((await server.ended).code, 0, server.complaint());
      const tookMs = performance.now() - stoppedAt;
      // After twelve seconds it would have given up, and ended with 1.
      assert.ok(tookMs < 12_500, `it took ${tookMs} ms`);
      assert.equal(await place.databaseRuns(), false);
      idle.destroy();
      const with201 = [...outcomes]
        .filter(([, outcome]) => outcome === 201)
        .map(([title]) => title);
      const odd = [...outcomes].filter(
        ([, outcome]) => ![201, 'ECONNREFUSED', 'ECONNRESET'].includes(outcome),
      );
      assert.deepEqual(odd, [], 'answered in full, or not taken at all');
      assert.deepEqual(
        (await titlesWritten(place)).toSorted(),
        with201.toSorted(),
        'what was answered is there, and what was not is not',
      );
      t.diagnostic(
        `stopped in ${Math.round(tookMs)} ms; ${with201.length} of ${outcomes.size} were answered`,
      );
    },
  );

  test(
    'SIGTERM: a client that never finishes its request does not keep the server beyond its time',
    { timeout: 900_000 },
    async (t) => {
      await using place = await makePlace();
      const server = place.start({}, quickStop);
      await server.ready(place.baseUrl);
      const slow = [
        `POST /v1/humans HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
        'GET / HTTP/1.1\r\nHost: x\r\n',
      ].map((text) => {
        const socket = connect(place.port, '127.0.0.1', () => socket.write(text));
        return socket.on('error', () => undefined);
      });
      await Promise.all(slow.map((socket) => once(socket, 'connect')));
      // Both have arrived when a later request on another connection is answered.
      assert.equal((await fetch(`${place.baseUrl}/healthz`, { headers: unkept })).status, 200);
      const stoppedAt = performance.now();
      server.kill('SIGTERM');
      const { code } = await server.ended;
      const tookMs = performance.now() - stoppedAt;
      assert.equal(code, 0);
      assert.ok(tookMs < 12_500, `it took ${tookMs} ms`);
      assert.equal(await place.databaseRuns(), false);
      t.diagnostic(`stopped in ${Math.round(tookMs)} ms`);
    },
  );
});
