// How often each operation waits for the database, counted on the wire.
import { operationList } from '@colophon/contract';
import { createApp } from '../packages/server/src/app.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { freePort } from '../packages/server/src/http/index.ts';
import { openLog, reachServices } from '../packages/server/src/services.ts';
import { registerAuthor } from './parts/author.ts';
import { openCountingProxy } from './parts/counting-proxy.ts';
import type { Counted } from './parts/counting-proxy.ts';
import { openBenchDatabase } from './parts/database.ts';
import { show } from './parts/figures.ts';

await using database = await openBenchDatabase();
await using proxy = await openCountingProxy(database.connection);
const port = await freePort('127.0.0.1');
const config = readConfig({ HOST: '127.0.0.1', PORT: String(port), ROLE: 'web' });
const through = { ...database.connection, host: proxy.host };
await using services = reachServices(config, openLog('warn'), through);
// The hints go past the proxy: they are not part of any operation.
await using app = await createApp({ ...services, connection: database.connection });
await app.server?.listen({ host: config.host, port });
const author = await registerAuthor(config.baseUrl);

type Answer = Record<string, string>;

interface Asked {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly anonymous?: boolean;
}

const counted = new Map<string, Counted>();

/** Sends a request of an operation, and keeps what it cost; a repeated one replaces the first. */
async function ask(
  name: string,
  params: Readonly<Record<string, string>>,
  asked: Asked = {},
): Promise<Answer> {
  const operation = operationList.find((one) => one.name === (name.split(' ')[0] ?? ''));
  if (operation === undefined) throw new Error(`There is no operation ${name}.`);
  const [path = '', query] = operation.path
    .replaceAll(/\{(\w+)\}/g, (_, param: string) => params[param] ?? '')
    .split('?');
  let answer: Answer = {};
  const cost = await proxy.count(async () => {
    const response = await fetch(`${config.baseUrl}${path}${query ?? ''}${params['query'] ?? ''}`, {
      method: operation.method,
      headers: {
        ...(asked.anonymous ? {} : { authorization: `Bearer ${author.token}` }),
        ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(operation.idempotency ? { 'idempotency-key': crypto.randomUUID() } : {}),
        ...asked.headers,
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${name} answered ${response.status}: ${text}`);
    answer = text === '' ? {} : (JSON.parse(text) as Answer);
  });
  counted.set(name, cost);
  return answer;
}

async function askEach(turn: number): Promise<void> {
  const username = `bench-person-${'x'.repeat(turn + 1)}`;
  await ask('registerHuman', {}, { body: { username }, anonymous: true });
  const token = { principal_id: author.id, name: 'bench', scopes: ['articles:read'] };
  const issued = await ask('issueToken', {}, { body: token });
  await ask('listTokens', {});
  await ask('revokeToken', { id: issued['id'] ?? '' });
  await ask('readMe', {});
  await ask('readMeta', {}, { anonymous: true });
  const draft = { title: `Turn ${turn}`, content: `Some text of turn ${turn}.`, language: 'en' };
  const made = await ask('createArticle', {}, { body: draft });
  const id = made['id'] ?? '';
  const headers = { 'if-match': `"${made['revision_id']}"` };
  const revision = await ask(
    'createRevision',
    { id },
    { body: { content: `Other ${turn}.` }, headers },
  );
  await ask('updateArticle', { id }, { body: { visibility: 'unlisted' } });
  await ask('publishArticle', { id }, { body: {} });
  await ask('readArticle (anonymous)', { id }, { anonymous: true });
  await ask('readArticle (with a token)', { id });
  await ask(
    'readRevision',
    { id, revision_id: revision['revision_id'] ?? '' },
    { anonymous: true },
  );
  await ask('listRevisions', { id }, { anonymous: true });
  await ask('readProcessing', { id }, { anonymous: true });
  await ask('listArticles', {}, { anonymous: true });
  await ask('listArticles (author by name)', { query: `?author=${username}` }, { anonymous: true });
  await ask('deleteArticle', { id });
}

// The first turns open the connections and prepare the statements.
for (const turn of [0, 1, 2]) await askEach(turn);

const missing = operationList.filter(
  ({ name }) => ![...counted.keys()].some((key) => key.split(' ')[0] === name),
);
if (missing.length > 0) throw new Error(`Ask also ${missing.map(({ name }) => name).join(', ')}.`);
show(
  'round-trips',
  [...counted].map(([operation, cost]) => ({
    operation,
    'round trips': cost.roundTrips,
    statements: cost.statements,
  })),
);
