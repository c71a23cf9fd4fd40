// The reference server of the AT protocol, with its directory of identities on loopback.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../../packages/server/src/http/index.ts';
import { startProgram } from '../parts/child.ts';
import { ask, askJson } from './ask.ts';
import { installNode, installPackages, nodeVersion } from './install.ts';
import { documents } from './jobs.ts';
import { makeArticles, reading } from './reading.ts';
import { takeOver, restartable, temporaryFolder } from './running.ts';
import type { Side, Work } from './side.ts';
import type { Texts } from './texts.ts';

const version = '0.5.35';
const collection = 'org.example.article';
const replies = 'org.example.comment';
const authorCount = 16;
/** What `applyWrites` takes at once. */
const batch = 200;
/** A database that is closed at this moment is locked for a short time. */
const lockMs = 5_000;
const secret = '0123456789abcdef'.repeat(4);

interface Account {
  readonly did: string;
  readonly accessJwt: string;
}

interface Place {
  readonly url: string;
  readonly folder: string;
  readonly accounts: readonly Account[];
}

const authorizationOf = ({ accessJwt }: Account) => ({ authorization: `Bearer ${accessJwt}` });

async function createAccount(url: string, n: number): Promise<Account> {
  const body = { handle: `author${n}.test`, email: `a${n}@example.org`, password: secret };
  return askJson(`${url}/xrpc/com.atproto.server.createAccount`, { method: 'POST', body });
}

/** Documents of all accounts, so that no repository is small. */
async function fillRecords({ url, accounts }: Place, { textOf }: Texts): Promise<void> {
  for (let from = 0; from < documents; from += batch) {
    const account = accounts[(from / batch) % accounts.length] as Account;
    const writes = Array.from({ length: batch }, (_, n) => {
      const value = { ...textOf(from + n), createdAt: new Date().toISOString() };
      return { $type: 'com.atproto.repo.applyWrites#create', collection, value };
    });
    const body = { repo: account.did, validate: false, writes };
    const headers = authorizationOf(account);
    await ask(`${url}/xrpc/com.atproto.repo.applyWrites`, { method: 'POST', headers, body });
  }
}

/** Counts the rows of a table in the databases of all accounts. */
async function storedRows(folder: string, table: string): Promise<number> {
  const entries = await readdir(join(folder, 'actors'), { recursive: true });
  const counts = entries
    .filter((entry) => entry.endsWith('store.sqlite'))
    .map((entry) => {
      const database = new DatabaseSync(join(folder, 'actors', entry), {
        readOnly: true,
        timeout: lockMs,
      });
      try {
        const row = database.prepare(`select count(*) as count from ${table}`).get();
        return Number(row?.['count']);
      } finally {
        database.close();
      }
    });
  return counts.reduce((sum, count) => sum + count, 0);
}

const repo = 'com.atproto.repo';

interface Repositories {
  /** Has the articles that are read one by one. */
  readonly account: Account;
  readonly keys: readonly string[];
  /** Has a part of the documents, and is listed. */
  readonly listed: Account;
}

const recordsOf = ({ did }: Account) => `repo=${did}&collection=${collection}`;

function reads({ account, keys, listed }: Repositories, { title }: Texts): Side['works'] {
  const get = (queries: readonly string[], headers = {}) =>
    reading(
      queries.map((query) => `/xrpc/${repo}.${query}`),
      title,
      headers,
    );
  const one = keys.map((key) => `getRecord?${recordsOf(account)}&rkey=${key}`);
  return {
    read1: get(one),
    read: get(one),
    readWithToken: get(one, authorizationOf(account)),
    read128: get(one),
    page: { ...get([`listRecords?${recordsOf(listed)}&limit=20`]), shows: '"records"' },
  };
}

function writes({ folder, accounts }: Place) {
  const people = accounts.map(({ did, accessJwt }) => ({ did, token: accessJwt }));
  const authorization = 'Bearer {token}';
  const create = (kind: string, record: object): Work => ({
    steps: [
      {
        method: 'POST',
        paths: [`/xrpc/${repo}.createRecord`],
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ repo: '{did}', collection: kind, validate: false, record }),
      },
    ],
    people,
    stored: () => storedRows(folder, 'record'),
  });
  const upload = (bodyFile: string): Work => ({
    steps: [
      {
        method: 'POST',
        paths: [`/xrpc/${repo}.uploadBlob`],
        headers: { authorization, 'content-type': 'image/png' },
        bodyFile,
      },
    ],
    people,
    stored: () => storedRows(folder, 'blob'),
  });
  return { create, upload };
}

async function worksOf(place: Place, texts: Texts): Promise<Side['works']> {
  const [first, listed] = place.accounts as readonly [Account, Account];
  const createdAt = new Date().toISOString();
  const article = {
    $type: collection,
    title: texts.title,
    text: `{n} ${texts.article}`,
    createdAt,
  };
  const made = await makeArticles(() =>
    askJson<{ readonly uri: string; readonly cid: string }>(
      `${place.url}/xrpc/${repo}.createRecord`,
      {
        method: 'POST',
        headers: authorizationOf(first),
        body: { repo: first.did, collection, validate: false, record: article },
      },
    ),
  );
  const { create, upload } = writes(place);
  const reply = { $type: replies, text: `{n} ${texts.comment}`, subject: made[0], createdAt };
  return {
    ...reads(
      { account: first, keys: made.map(({ uri }) => uri.split('/').at(-1) ?? ''), listed },
      texts,
    ),
    create: create(collection, article),
    // A record is public at once.
    publish: create(collection, article),
    comment: create(replies, reply),
    upload1: upload(texts.files.upload1),
    upload20: upload(texts.files.upload20),
  };
}

/** Its settings: no invitations, no rate limits, addresses of loopback allowed; all else as it comes. */
function settings(folder: string, port: number, directory: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    PORT: String(port),
    PDS_PORT: String(port),
    PDS_HOSTNAME: 'localhost',
    PDS_DEV_MODE: 'true',
    PDS_DATA_DIRECTORY: folder,
    PDS_BLOBSTORE_DISK_LOCATION: join(folder, 'blobs'),
    PDS_BLOB_UPLOAD_LIMIT: String(100 * 1024 * 1024),
    PDS_SERVICE_HANDLE_DOMAINS: '.test',
    PDS_INVITE_REQUIRED: 'false',
    PDS_RATE_LIMITS_ENABLED: 'false',
    PDS_DISABLE_SSRF_PROTECTION: 'true',
    PDS_DID_PLC_URL: directory,
    PDS_JWT_SECRET: secret,
    PDS_DPOP_SECRET: secret,
    PDS_ADMIN_PASSWORD: secret,
    PDS_PLC_ROTATION_KEY_K256_PRIVATE_KEY_HEX: secret,
    LOG_ENABLED: '0',
  };
}

/** Installs it, starts it with 16 accounts and `documents` records, and says what it can do. */
export async function startPds(texts: Texts): Promise<Side> {
  const node = await installNode(nodeVersion);
  const packages = [`@atproto/pds@${version}`, '@did-plc/server@0.0.1'];
  const cwd = await installPackages(
    { name: `pds-${version}`, packages, native: ['better-sqlite3'] },
    node,
  );
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder(stack);
  const program = join(import.meta.dirname, 'pds-server.mjs');
  const start = (role: string, ready: string, env: Readonly<Record<string, string>>) =>
    startProgram({
      command: node.program,
      args: [program, role],
      cwd,
      env: { ...node.env, ...env },
      url: `http://127.0.0.1:${env['PORT'] ?? ''}`,
      ready,
    });
  const port = await freePort('127.0.0.1');
  const directory = stack.use(await start('directory', '/_health', { PORT: String(port) }));
  const env = settings(folder, await freePort('127.0.0.1'), directory.url);
  const server = stack.use(await restartable(() => start('server', '/xrpc/_health', env)));
  const accounts: Account[] = [];
  for (let n = 0; n < authorCount; n += 1) accounts.push(await createAccount(server.url, n));
  const place = { url: server.url, folder, accounts };
  await fillRecords(place, texts);
  return {
    name: 'PDS',
    version: `@atproto/pds ${version}, SQLite, Node.js ${node.version}`,
    url: server.url,
    restart: server.restart,
    roots: server.roots,
    works: await worksOf(place, texts),
    ...takeOver(stack),
  };
}
