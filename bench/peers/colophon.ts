// Colophon itself, as `npm start` runs it, with limits that are counted but never reached.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { freePort } from '../../packages/server/src/http/index.ts';
import { publishArticle, registerAuthor } from '../parts/author.ts';
import type { Author } from '../parts/author.ts';
import { serverProgram, startProgram, wideLimits } from '../parts/child.ts';
import { openBenchDatabase } from '../parts/database.ts';
import type { BenchDatabase } from '../parts/database.ts';
import { fillFeed } from '../parts/feed-rows.ts';
import { fill } from '../parts/fill.ts';
import type { RequestTemplate } from '../parts/load.ts';
import { fillSearch } from '../parts/search-rows.ts';
import { countWaiting } from '../parts/waiting.ts';
import { askJson } from './ask.ts';
import { documents } from './jobs.ts';
import { makeArticles, reading } from './reading.ts';
import { takeOver, restartable, temporaryFolder } from './running.ts';
import type { Side, Work } from './side.ts';
import type { Texts } from './texts.ts';

const authorCount = 16;
const pollMs = 25;

interface Place {
  readonly url: string;
  readonly database: BenchDatabase;
  readonly authors: readonly Author[];
}

async function countRows(database: BenchDatabase, from: string): Promise<number> {
  return database.asOwner(async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::integer as count from ${from}`,
    );
    return rows[0]?.count ?? 0;
  });
}

/** Share images wait until nothing else does: drawing them would take time from what is measured next. */
const dropDrawings = `
  delete from graphile_worker._private_jobs job
  using graphile_worker._private_tasks task
  where task.id = job.task_id and task.identifier like '%:makeOgImage' and job.locked_at is null`;

/** Waits until the pipeline has carried everything to every surface but share images. */
async function untilCarried(client: pg.Client): Promise<void> {
  for (;;) {
    const { messages, jobs } = await countWaiting(client);
    if (messages + jobs === 0) break;
    await wait(pollMs);
  }
  await client.query(dropDrawings);
}

/** A request of a participant, each with an idempotency key of its own. */
function post(path: string, body: unknown, made?: readonly string[]): RequestTemplate {
  const headers = {
    authorization: 'Bearer {token}',
    'content-type': 'application/json',
    'idempotency-key': '{run}-{n}',
  };
  return { method: 'POST', paths: [path], headers, body: JSON.stringify(body), made };
}

function writes({ database, authors }: Place, texts: Texts, id: string): Side['works'] {
  const settled = () => database.asOwner(untilCarried);
  const article = { title: `${texts.title} {n}`, content: `{n} ${texts.article}`, language: 'en' };
  const create = post('/v1/articles', article, ['id']);
  const work = (steps: readonly RequestTemplate[], from: string): Work => ({
    steps,
    people: authors.map(({ token }) => ({ token })),
    stored: () => countRows(database, from),
    settled,
  });
  const upload = (bodyFile: string): Work => {
    const put: RequestTemplate = {
      method: 'PUT',
      paths: ['/v1/media/{made}/content'],
      headers: { authorization: 'Bearer {token}', 'content-type': 'application/octet-stream' },
      bodyFile,
    };
    const steps = [post('/v1/media', { kind: 'image' }, ['id']), put];
    // Smaller versions are made later; the peers make none of an image of one pixel.
    return { ...work(steps, `media where status = 'ready'`), followed: true };
  };
  return {
    create: work([create], 'articles'),
    publish: work(
      [create, post('/v1/articles/{made}/publish', {})],
      `articles where status = 'published'`,
    ),
    comment: work(
      [post(`/v1/articles/${id}/comments`, { content: `{n} ${texts.comment}` })],
      'comments',
    ),
    upload1: upload(texts.files.upload1),
    upload20: upload(texts.files.upload20),
  };
}

async function reads(
  { url, authors }: Place,
  texts: Texts,
  ids: readonly string[],
): Promise<Side['works']> {
  const paths = ids.map((id) => `/v1/articles/${id}`);
  const article = await askJson<{ readonly url: string }>(url + paths[0]);
  const read = reading(paths, texts.title);
  return {
    read1: read,
    read,
    readWithToken: reading(
      paths,
      texts.title,
      { authorization: 'Bearer {token}' },
      { people: authors.map(({ token }) => ({ token })) },
    ),
    read128: read,
    page: reading(['/v1/articles?limit=20'], '"next_cursor"'),
    html: reading([new URL(article.url).pathname], texts.title),
    front: reading(['/'], '</html>'),
    search: reading(
      texts.queries.map((query) => `/v1/search?q=${query}`),
      '"type":"article"',
    ),
  };
}

async function openFilled(texts: Texts): Promise<BenchDatabase> {
  const database = await openBenchDatabase();
  await database.asOwner(async (client) => {
    await fill(client, documents, authorCount, texts.textOf);
    await fillSearch(client);
    await fillFeed(client);
  });
  return database;
}

/** Starts it on its own PostgreSQL with 16 authors and `documents` articles, and says what it can do. */
export async function startColophonSide(texts: Texts): Promise<Side> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openFilled(texts));
  const folder = await temporaryFolder(stack);
  const limits = join(folder, 'limits.json');
  await writeFile(limits, JSON.stringify(wideLimits));
  const port = await freePort('127.0.0.1');
  const server = stack.use(
    await restartable(
      () =>
        startProgram({
          command: process.execPath,
          args: [serverProgram],
          cwd: folder,
          env: {
            PATH: process.env['PATH'] ?? '',
            HOST: '127.0.0.1',
            PORT: String(port),
            LOG_LEVEL: 'fatal',
            DATABASE_URL: database.url(),
            DATA_DIR: folder,
            LIMITS: limits,
          },
          url: `http://127.0.0.1:${port}`,
          ready: '/readyz',
        }),
      database,
    ),
  );
  const authors: Author[] = [];
  for (let n = 0; n < authorCount; n += 1) authors.push(await registerAuthor(server.url));
  const place = { url: server.url, database, authors };
  const [first] = authors as [Author, ...Author[]];
  const ids = await makeArticles(() => publishArticle(server.url, first, texts.article));
  await database.asOwner(untilCarried);
  return {
    name: 'Colophon',
    version: `this repository, the PostgreSQL it brings, Node.js ${process.versions.node}`,
    url: server.url,
    restart: server.restart,
    roots: server.roots,
    works: { ...(await reads(place, texts, ids)), ...writes(place, texts, ids[0] ?? '') },
    ...takeOver(stack),
  };
}
