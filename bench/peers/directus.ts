// Directus on a PostgreSQL of its own with the same settings as ours: a bare row behind an API.
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/http/index.ts';
import { startProgram } from '../parts/child.ts';
import { openBenchDatabase } from '../parts/database.ts';
import type { BenchDatabase } from '../parts/database.ts';
import { ask, askJson } from './ask.ts';
import { installNode, installPackages, nodeVersion, runProgram } from './install.ts';
import { documents } from './jobs.ts';
import { makeArticles, reading } from './reading.ts';
import { takeOver, restartable, temporaryFolder } from './running.ts';
import { uploadForm } from './upload-form.ts';
import type { Side, Work } from './side.ts';
import type { Texts } from './texts.ts';

/** The newest of its line whose parts are all on the registry. */
const version = '12.3.1';
const token = '0123456789abcdef'.repeat(2);
const authorization = { authorization: `Bearer ${token}` };
const batch = 500;

function settings(database: BenchDatabase, folder: string, port: number): Record<string, string> {
  const { host, port: databasePort, user } = database.connection;
  return {
    NODE_ENV: 'production',
    DB_CLIENT: 'pg',
    DB_HOST: host,
    DB_PORT: String(databasePort),
    DB_DATABASE: 'directus',
    DB_USER: user,
    DB_PASSWORD: 'unused',
    SECRET: token,
    ADMIN_EMAIL: 'admin@example.org',
    ADMIN_PASSWORD: token,
    ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    STORAGE_LOCAL_ROOT: join(folder, 'uploads'),
    EXTENSIONS_PATH: join(folder, 'extensions'),
    FILES_MAX_UPLOAD_SIZE: '100mb',
    TELEMETRY: 'false',
    RATE_LIMITER_ENABLED: 'false',
    // It answers 503 while it is busy, as it is after its start and under any load that fills it.
    PRESSURE_LIMITER_ENABLED: 'false',
    CACHE_ENABLED: 'false',
    LOG_LEVEL: 'error',
  };
}

const text = (field: string) => ({ field, type: 'text', schema: {}, meta: {} });

/** Makes the two tables, lets everybody read articles, and fills them. */
async function fillItems(url: string, { textOf }: Texts): Promise<void> {
  const post = (path: string, body: unknown) =>
    ask(url + path, { method: 'POST', headers: authorization, body });
  const articles = [text('title'), text('content'), { ...text('status'), type: 'string' }];
  await post('/collections', { collection: 'articles', schema: {}, meta: {}, fields: articles });
  const comments = [text('content'), { ...text('article'), type: 'integer' }];
  await post('/collections', { collection: 'comments', schema: {}, meta: {}, fields: comments });
  const { data } = await askJson<{
    readonly data: { readonly id: string; readonly name: string }[];
  }>(`${url}/policies`, { headers: authorization });
  const policy = data.find(({ name }) => name.includes('public'))?.id;
  await post('/permissions', { policy, collection: 'articles', action: 'read', fields: ['*'] });
  for (let from = 0; from < documents; from += batch)
    await post(
      '/items/articles',
      Array.from({ length: batch }, (_, n) => ({ ...textOf(from + n), status: 'published' })),
    );
}

async function count(url: string, path: string): Promise<number> {
  const { data } = await askJson<{ readonly data: readonly [{ readonly count: string }] }>(
    `${url}${path}?aggregate[count]=*`,
    { headers: authorization },
  );
  return Number(data[0].count);
}

async function worksOf(url: string, texts: Texts): Promise<Side['works']> {
  const row = { title: texts.title, content: `{n} ${texts.article}`, status: 'published' };
  const made = await makeArticles(() =>
    askJson<{ readonly data: { readonly id: number } }>(`${url}/items/articles`, {
      method: 'POST',
      headers: authorization,
      body: row,
    }),
  );
  const create = (path: string, body: unknown): Work => ({
    steps: [
      {
        method: 'POST',
        paths: [path],
        headers: { ...authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    ],
    stored: () => count(url, path),
  });
  const upload = (file: string): Work => ({
    steps: [uploadForm('/files', file, authorization)],
    stored: () => count(url, '/files'),
  });
  const one = made.map(({ data }) => `/items/articles/${data.id}`);
  const read = reading(one, texts.title);
  return {
    read1: read,
    read,
    readWithToken: reading(one, texts.title, authorization),
    read128: read,
    page: reading(['/items/articles?limit=20&sort=-id'], texts.title),
    search: reading(
      texts.queries.map(
        (query) => `/items/articles?limit=20&search=${query.split('%20')[0] ?? ''}`,
      ),
      '"title"',
    ),
    create: create('/items/articles', { ...row, status: 'draft' }),
    publish: create('/items/articles', row),
    comment: create('/items/comments', {
      content: `{n} ${texts.comment}`,
      article: made[0]?.data.id,
    }),
    upload1: upload(texts.files.upload1),
    upload20: upload(texts.files.upload20),
  };
}

/** Installs it, starts it with `documents` rows, and says what it can do. */
export async function startDirectus(texts: Texts): Promise<Side> {
  const node = await installNode(nodeVersion);
  const cwd = await installPackages(
    { name: `directus-${version}`, packages: [`directus@${version}`], native: ['isolated-vm'] },
    node,
  );
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openBenchDatabase());
  await database.asOwner((client) => client.query('create database directus'));
  const folder = await temporaryFolder(stack);
  const port = await freePort('127.0.0.1');
  const env = { ...node.env, ...settings(database, folder, port) };
  const program = join(cwd, 'node_modules/directus/cli.js');
  await runProgram(node.program, [program, 'bootstrap'], cwd, env);
  const url = `http://127.0.0.1:${port}`;
  const started = { command: node.program, args: [program, 'start'], cwd, env, url };
  const server = stack.use(
    await restartable(() => startProgram({ ...started, ready: '/server/ping' }), database),
  );
  await fillItems(url, texts);
  return {
    name: 'Directus',
    version: `directus ${version}, the PostgreSQL of Colophon, Node.js ${node.version}`,
    url,
    restart: server.restart,
    roots: server.roots,
    works: await worksOf(url, texts),
    ...takeOver(stack),
  };
}
