// The real server for a test file: on a cloned database, a free port, with every answer checked against the contract.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problems } from '@colophon/contract';
import type { ProblemName } from '@colophon/contract';
import { createApp } from '#app';
import { readConfig } from '#config';
import { openDatabase } from '#database';
import type { Database } from '#database';
import type { Bounds } from '#http';
import { BUCKETS } from '#lib/id';
import { openLedgerOf, openLog } from '#services';
import type { Services } from '#services';
import { openImageWork } from '#images';
import { openMediaStore } from '#storage';
import { bucketOfName, usernameSkeleton } from '../src/areas/identity/rules/username.ts';
import { cloneDatabase } from './database.ts';
import { checkResponse } from './check-response.ts';
import type { Response } from './check-response.ts';
import { addressesOf } from './second-server.ts';
import { sharedWork } from './shared-work.ts';
import { watchAnswers } from './watch-answers.ts';
import { ownPort } from './own-port.ts';

export type { Response } from './check-response.ts';

export interface Asked {
  readonly token?: string;
  readonly body?: unknown;
  /** Bytes as they are, in place of `body`. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** true: a fresh Idempotency-Key; or the key. */
  readonly key?: true | string;
}

export interface Human {
  readonly id: string;
  readonly username: string;
  readonly token: string;
}

export interface TestServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Those that `ask` takes in turn. */
  readonly addresses: readonly string[];
  readonly services: Services;
  readonly db: Database;
  readonly app: Awaited<ReturnType<typeof createApp>>;
  ask(method: string, path: string, asked?: Asked): Promise<Response>;
  register(username?: string): Promise<Human>;
  /** A draft of the human. */
  draft(human: Human, members?: Readonly<Record<string, unknown>>): Promise<Response['body']>;
  /** A published article of the human: the answers of creation and publication. */
  published(human: Human, members?: Readonly<Record<string, unknown>>): Promise<Response['body']>;
  /** A token of the human with just these scopes. */
  tokenWith(
    human: Human,
    scopes: readonly string[],
    members?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
}

/** Name of the problem that a response is. */
export function problemName(response: Response): string {
  return String(response.body?.type).split('/').at(-1) ?? '';
}

/** Asserts status and problem type; the detail must say something. */
export function assertProblem(response: Response, name: ProblemName): void {
  assert.equal(problemName(response), name, JSON.stringify(response.body));
  assert.equal(response.status, problems[name].status);
  assert.ok(String(response.body.detail).length > 10, 'the detail says what to do');
}

/** On a busy machine a test may send on a connection just as the server ends it. */
function keepConnections({ server }: TestServer['app']): void {
  if (server) server.server.keepAliveTimeout = 600_000;
}

let count = 0;
const buckets = new Set<number>();
/** A username that no other test of the file has, in a bucket of its own: some tests look at all that is in one. */
export function freshName(): string {
  count += 1;
  for (;;) {
    const name = `person-${count}-${Math.random().toString(36).slice(2, 8).replaceAll(/[01]/g, 'x')}z`;
    const bucket = bucketOfName(usernameSkeleton(name));
    // Where very many register, they have to share.
    if (buckets.has(bucket) && buckets.size < BUCKETS / 2) continue;
    buckets.add(bucket);
    return name;
  }
}

export function freshKey(): string {
  return crypto.randomUUID();
}

async function parseResponse(response: globalThis.Response): Promise<Response> {
  const text = await response.text();
  const json = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    body: json && text ? JSON.parse(text) : text,
  };
}

function requestOf(asked: Asked): RequestInit {
  const headers = new Headers(asked.headers);
  if (asked.token !== undefined) headers.set('authorization', `Bearer ${asked.token}`);
  if (asked.key !== undefined)
    headers.set('idempotency-key', asked.key === true ? freshKey() : asked.key);
  const body = asked.raw ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body));
  if (body !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'application/json');
  return body === undefined ? { headers } : { headers, body: body as string };
}

function actsOn(
  ask: TestServer['ask'],
): Pick<TestServer, 'register' | 'draft' | 'published' | 'tokenWith'> {
  const register = async (username = freshName()): Promise<Human> => {
    const response = await ask('POST', '/v1/humans', { body: { username } });
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return response.body as Human;
  };
  const draft: TestServer['draft'] = async (human, members = {}) => {
    const body = { title: 'A title', content: 'Some *text* to read.', ...members };
    const response = await ask('POST', '/v1/articles', { token: human.token, key: true, body });
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return response.body;
  };
  const published: TestServer['published'] = async (human, members = {}) => {
    const made = await draft(human, members);
    const path = `/v1/articles/${made.id}/publish`;
    const response = await ask('POST', path, { token: human.token, key: true, body: {} });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return { ...made, ...response.body };
  };
  const tokenWith: TestServer['tokenWith'] = async (human, scopes, members = {}) => {
    const body = { principal_id: human.id, name: 'narrow', scopes, ...members };
    const response = await ask('POST', '/v1/tokens', { token: human.token, key: true, body });
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return response.body.token as string;
  };
  return { register, draft, published, tokenWith };
}

interface StartOptions {
  readonly drawsAhead?: boolean;
  /** Multiplies the time limits of statements, so that nothing fails because a machine is slow. */
  readonly patience?: number;
}

/**
 * Starts the real server. `settings` are environment variables over the test's own; `{port}` in BASE_URL is
 * its port. Its end waits for no
 * idle connection, unless `bounds` say so. Share images are drawn only when they are requested, unless
 * `drawsAhead`: drawing takes longer than anything else that follows a publication.
 */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
  bounds: Partial<Bounds> = {},
  { drawsAhead = false, patience = 12 }: StartOptions = {},
): Promise<TestServer> {
  // Whatever fails, nothing stays open: it would keep the process of the file alive.
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await cloneDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-data-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await ownPort();
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    LIMITS: 'off',
    DISK_RESERVE: '0',
    ...settings,
    BASE_URL: (settings['BASE_URL'] ?? 'http://127.0.0.1:{port}').replace('{port}', String(port)),
  });
  const log = openLog(process.env['TEST_LOG'] ?? 'silent');
  const db = openDatabase({
    connection: database.connection,
    readers: 2,
    writers: 12,
    patience,
    onError: () => undefined,
  });
  const { text, drawing } = sharedWork();
  const store = await openMediaStore(config.mediaStore, config.diskReserve);
  const ledger = await openLedgerOf(config);
  const images = openImageWork();
  const services: Services = {
    config,
    log,
    db,
    replicas: undefined,
    now: () => new Date(),
    text,
    store,
    ledger,
    images,
    drawing,
    connection: database.connection,
    databaseLost: new Promise(() => undefined),
    [Symbol.asyncDispose]: async () => {
      await images[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await ledger[Symbol.asyncDispose]();
      await db[Symbol.asyncDispose]();
    },
  };
  opened.use(services);
  const held = { drainMs: 0, ...bounds };
  const app = opened.use(await createApp(services, { strict: true, bounds: held, drawsAhead }));
  const watch = app.server && watchAnswers(app.server.server);
  keepConnections(app);
  await app.server?.listen({ host: config.host, port });

  const addresses = await addressesOf(services, opened, { bounds: held, patience });
  let turn = 0;

  const ask: TestServer['ask'] = async (method, path, asked = {}) => {
    const address = addresses[(turn += 1) % addresses.length] ?? '';
    const response = await parseResponse(
      await fetch(address + path, { method, ...requestOf(asked) }),
    );
    checkResponse(method, path, response);
    return response;
  };
  const all = opened.move();
  return {
    baseUrl: config.baseUrl,
    addresses,
    services,
    db,
    app,
    ask,
    ...actsOn(ask),
    [Symbol.asyncDispose]: async () => {
      await all.disposeAsync();
      watch?.assertRight();
    },
  };
}
