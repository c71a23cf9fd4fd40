// The nginx configuration of deploy/, run before two server processes: what clients of a deployment meet.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { get as getPlain } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { cloneDatabase } from '../database.ts';
import { pngOfLength } from '../media-files.ts';
import { startNginx, withoutNginx } from '../nginx.ts';
import type { TestNginx } from '../nginx.ts';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';
import { ownPort } from '../own-port.ts';

const parts = new AsyncDisposableStack();
const skip = withoutNginx;
let place: Place;
let nginx: TestNginx;
let port = 0;
let plainPort = 0;
const upstreams: { readonly port: number; readonly server: ServerProcess }[] = [];
let settings: Readonly<Record<string, string>> = {};

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly json?: unknown;
  readonly raw?: Buffer;
  readonly key?: string;
  /** The address of the client; all of 127.0.0.0/8 is this machine. */
  readonly from?: string;
  readonly host?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function headersOf(asked: Asked, raw: Buffer | undefined): Record<string, string> {
  const host = `${asked.host ?? 'localhost'}:${port}`;
  return {
    host,
    ...asked.headers,
    ...(asked.token === undefined ? {} : { authorization: `Bearer ${asked.token}` }),
    ...(asked.key === undefined ? {} : { 'idempotency-key': asked.key }),
    ...(asked.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(raw === undefined ? {} : { 'content-length': String(raw.length) }),
  };
}

async function ask(path: string, asked: Asked = {}): Promise<Answer> {
  const { json } = asked;
  const raw = json === undefined ? asked.raw : Buffer.from(JSON.stringify(json));
  const message = request({
    host: '127.0.0.1',
    port,
    path,
    method: asked.method ?? 'GET',
    headers: headersOf(asked, raw),
    servername: asked.host ?? 'localhost',
    ca: nginx.certificate,
    agent: false,
    ...(asked.from === undefined ? {} : { localAddress: asked.from }),
  });
  message.end(raw);
  const [response] = await once(message, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const bodyOf = ({ body }: Answer) => JSON.parse(body) as Record<string, string>;

async function register(username: string): Promise<{ id: string; token: string }> {
  const made = await ask('/v1/humans', { method: 'POST', json: { username } });
  assert.equal(made.status, 201, made.body);
  const { id = '', token = '' } = bodyOf(made);
  return { id, token };
}

function draft(token: string, key = crypto.randomUUID()): Promise<Answer> {
  const json = { title: 'Through the proxy', content: 'Some text.' };
  return ask('/v1/articles', { method: 'POST', token, key, json });
}

async function start(): Promise<(typeof upstreams)[number]> {
  const on = await ownPort();
  return { port: on, server: place.start({ ...settings, PORT: String(on) }) };
}

before(async () => {
  if (skip !== false) return;
  const database = parts.use(await cloneDatabase());
  place = parts.use(await makePlace('none'));
  port = await ownPort();
  plainPort = await ownPort();
  const { host, port: postgres, user, database: name } = database.connection;
  settings = {
    DATABASE_URL: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}&port=${postgres}`,
    HOST: '127.0.0.1',
    BASE_URL: `https://localhost:${port}`,
    MEDIA_BASE_URL: `https://media.localhost:${port}`,
    TRUSTED_PROXIES: '127.0.0.1',
    LIMITS: 'default',
    DISK_RESERVE: '0',
  };
  upstreams.push(await start(), await start());
  await Promise.all(upstreams.map((one) => one.server.ready(`http://127.0.0.1:${one.port}`)));
  nginx = parts.use(
    await startNginx(place.folder, {
      upstreams: upstreams.map((one) => `127.0.0.1:${one.port}`),
      name: 'localhost',
      mediaName: 'media.localhost',
      port,
      plainPort,
    }),
  );
});

after(() => parts.disposeAsync());

test(
  'reads, and writes with a key that are sent twice and take effect once',
  { skip },
  async () => {
    const { token } = await register('keyed-writer');
    const key = crypto.randomUUID();
    const first = await draft(token, key);
    const again = await draft(token, key);
    assert.equal(first.status, 201, first.body);
    assert.equal(again.status, 201);
    assert.equal(bodyOf(again)['id'], bodyOf(first)['id']);
    const read = await ask(`/v1/articles/${bodyOf(first)['id']}`, { token });
    assert.equal(read.status, 200, read.body);
    assert.ok(read.headers['x-request-id'], 'headers of the service pass');
  },
);

test(
  'an upload of some MB is stored, and served on the host of media alone',
  { skip },
  async () => {
    const { token } = await register('uploader');
    const record = await ask('/v1/media', {
      method: 'POST',
      token,
      key: crypto.randomUUID(),
      json: { kind: 'image', alt_text: 'A large picture' },
    });
    assert.equal(record.status, 201, record.body);
    const { id = '' } = bodyOf(record);
    const raw = pngOfLength(6 * 2 ** 20);
    const headers = { 'content-type': 'application/octet-stream' };
    const stored = await ask(`/v1/media/${id}/content`, { method: 'PUT', token, raw, headers });
    assert.equal(stored.status, 200, stored.body);
    const url = new URL(bodyOf(stored)['url'] ?? '');
    assert.equal(url.host, `media.localhost:${port}`);
    const served = await ask(url.pathname, {
      host: 'media.localhost',
      headers: { range: 'bytes=0-7' },
    });
    assert.equal(served.status, 206);
    assert.equal((await ask('/v1/meta', { host: 'media.localhost' })).status, 404);
    assert.doesNotMatch(nginx.complaint(), /buffered to a temporary file/);
  },
);

test('an upload and a text over the limit get the 413 of the service', { skip }, async () => {
  const { token } = await register('oversized');
  const long = { method: 'POST', token, key: crypto.randomUUID() };
  const refused = await ask('/v1/articles', {
    ...long,
    raw: Buffer.alloc(9 * 2 ** 20, 32),
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(refused.status, 413);
  assert.match(bodyOf(refused)['type'] ?? '', /\/payload-too-large$/);
});

test('a poll that waits returns as soon as there is an event', { skip }, async () => {
  const [author, reader] = [await register('poll-author'), await register('poll-reader')];
  const waiting = ask('/v1/events?wait=25', { token: author.token });
  const followed = await ask('/v1/follows', {
    method: 'POST',
    token: reader.token,
    key: crypto.randomUUID(),
    json: { principal_id: author.id },
  });
  assert.ok(followed.status < 300, followed.body);
  const { status, body } = await waiting;
  assert.equal(status, 200, body);
  assert.match(body, /follow\.created/);
});

test(
  'each client has its own limit, and X-Forwarded-For cannot choose another',
  { skip },
  async () => {
    // Registrations are counted even if they are refused, and one comes back after 18 s.
    const left = async (from: string, forged: string) => {
      const headers = { 'x-forwarded-for': forged };
      const refused = await ask('/v1/humans', { method: 'POST', json: {}, from, headers });
      assert.equal(refused.status, 422, refused.body);
      return Number(/;r=(\d+)/.exec(String(refused.headers['ratelimit']))?.[1]);
    };
    // Ten are counted by two processes: one of them counts five or more.
    const mine = [];
    for (let last = 1; last <= 10; last += 1)
      mine.push(await left('127.0.0.2', `203.0.113.${last}`));
    const most = Math.max(...mine);
    assert.ok(Math.min(...mine) < most, 'counted for one address, whatever it claims');
    assert.equal(await left('127.0.0.3', '203.0.113.1'), most);
  },
);

test(
  'metrics are not public, other names have no certificate, and http moves to https',
  { skip },
  async () => {
    assert.equal((await ask('/metrics')).status, 404);
    await assert.rejects(ask('/', { host: 'elsewhere.example' }));
    const [moved] = await once(
      getPlain({
        host: '127.0.0.1',
        port: plainPort,
        path: '/a?b=1',
        headers: { host: 'localhost' },
      }),
      'response',
    );
    moved.resume();
    assert.equal(moved.statusCode, 308);
    assert.equal(moved.headers.location, 'https://localhost/a?b=1');
  },
);

test('SIGTERM of one process: its poll ends, and no read or write fails', { skip }, async () => {
  const { id, token } = await register('undisturbed');
  const polls = [1, 2, 3, 4].map(() => ask('/v1/events?wait=25', { token }));
  const [one] = upstreams;
  assert.ok(one);
  let stopped = false;
  const statuses: number[] = [];
  const ends = one.server.ended.then(() => (stopped = true));
  const traffic = async () => {
    for (let after = 0; after < 5; after += stopped ? 1 : 0) {
      statuses.push((await draft(token)).status, (await ask('/v1/meta')).status);
    }
  };
  const busy = traffic();
  one.server.kill('SIGTERM');
  await Promise.all([ends, busy]);
  assert.deepEqual(new Set(statuses), new Set([200, 201]));
  // The polls of the process that stays may wait for their 25 s: a follower ends them.
  const follower = await register('poll-ender');
  const followed = await ask('/v1/follows', {
    method: 'POST',
    token: follower.token,
    key: crypto.randomUUID(),
    json: { principal_id: id },
  });
  assert.ok(followed.status < 300, followed.body);
  for (const { status } of await Promise.all(polls)) assert.equal(status, 200);
});
