// An export of 10,000 articles and 1 GB of media: articles a second, and the memory of the server.
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { contentHash } from '../packages/server/src/lib/canonical-json.ts';
import { bucketOf, newId } from '../packages/server/src/lib/id.ts';
import { pngOfLength } from '../packages/server/test/media-files.ts';
import { markdownOf, post, registerAuthor } from './parts/author.ts';
import type { Author } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { show } from './parts/figures.ts';
import { processorMs } from './parts/processor.ts';

const articles = Number(process.env['BENCH_ARTICLES'] ?? 10_000);
const files = Number(process.env['BENCH_FILES'] ?? 200);
const MiB = 1024 * 1024;
const fileBytes = 5 * MiB;
const goalPerSecond = 500;
const crawled = 500;
const batch = 1_000;

/** Inserts published articles of the author, each with two revisions of about 3 KB. */
async function insertArticles(client: pg.Client, author: Author): Promise<void> {
  const bucket = bucketOf(author.id);
  const text = markdownOf(2_900);
  for (let from = 0; from < articles; from += batch) {
    const rows = [];
    for (let n = from; n < Math.min(from + batch, articles); n += 1) {
      const [id, first, second] = [newId(bucket), newId(bucket), newId(bucket)];
      for (const [revision, previous] of [
        [first, null],
        [second, first],
      ] as const) {
        const content = `${text}\n\n${randomBytes(100).toString('base64')} ${n}\n`;
        const title = `Article ${n} of many`;
        const metadata = { topics: ['measuring'], n };
        const hash = await contentHash({ title, content, metadata });
        rows.push({ id, revision, previous, newest: second, title, content, hash, metadata });
      }
    }
    await client.query(
      `with rows as materialized (
        select * from json_to_recordset($1::json) as r (
          id text, revision text, previous text, newest text, title text, content text, hash text,
          metadata json
        )
      ), kept as (
        insert into contents (bucket, hash, title, content, metadata, excerpt, created_at)
        select $2, hash, title, content, metadata, left(content, 280), now() from rows
      ), article as (
        insert into articles (
          bucket, id, author_id, author_kind, status, visibility, language, disclosure,
          latest_revision_id, published_revision_id, published_at, created_at, updated_at
        )
        select $2, id, $3, 'human', 'published', 'public', 'en', 'human_authored', newest, newest,
          now(), now(), now()
        from rows
        where revision = newest
      )
      insert into revisions (
        bucket, article_id, id, previous_revision_id, content_hash, signing_base, created_at, published_at
      )
      select $2, id, revision, previous, hash, 'http://127.0.0.1', now(), now() from rows`,
      [JSON.stringify(rows), bucket, author.id],
    );
  }
  await client.query('analyze');
}

async function uploadFiles(url: string, { token }: Author): Promise<void> {
  const bytes = pngOfLength(fileBytes);
  for (let n = 0; n < files; n += 1) {
    const { id } = await post(`${url}/v1/media`, { kind: 'image' }, token);
    // Each file has bytes of its own.
    const body = Buffer.from(bytes);
    randomBytes(32).copy(body, body.length - 64);
    const response = await fetch(`${url}/v1/media/${id}/content`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body,
    });
    if (!response.ok) throw new Error(`An upload answered ${response.status}.`);
    await response.arrayBuffer();
  }
}

async function memoryMiB(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}

/** Starts a new maximum of the resident memory. */
const resetPeak = (pid: number) => writeFile(`/proc/${pid}/clear_refs`, '5');

/** Reads articles with their revisions and proofs one by one, as one who has no export must. */
async function crawl(url: string, { token, id }: Author): Promise<number> {
  const read = async (path: string) => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as {
      readonly items: readonly { readonly [name: string]: string }[];
    };
  };
  const since = performance.now();
  let [done, cursor] = [0, ''];
  while (done < Math.min(crawled, articles)) {
    const page = await read(`/v1/articles?author=${id}&limit=100${cursor}`);
    await Promise.all(
      page.items.map(async (article) => {
        await read(`/v1/articles/${article['id']}`);
        const { items } = await read(`/v1/articles/${article['id']}/revisions`);
        for (const { revision_id: revision } of items) {
          await read(`/v1/articles/${article['id']}/revisions/${revision}`);
          await read(`/v1/articles/${article['id']}/revisions/${revision}/proof`);
        }
      }),
    );
    done += page.items.length;
    cursor = `&cursor=${page.items.at(-1)?.['id']}`;
  }
  return done / ((performance.now() - since) / 1_000);
}

interface ExportRecord {
  readonly id: string;
  readonly status: string;
  readonly byte_size: number;
  readonly counts: { readonly articles: number; readonly media: number };
}

async function exported(url: string, author: Author): Promise<ExportRecord> {
  const { id } = await post(`${url}/v1/exports`, {}, author.token);
  for (;;) {
    const headers = { authorization: `Bearer ${author.token}` };
    const response = await fetch(`${url}/v1/exports/${id}`, { headers });
    const record = (await response.json()) as ExportRecord;
    if (record.status === 'ready') return record;
    if (record.status === 'failed') throw new Error('The export failed.');
    await wait(100);
  }
}

async function downloaded(url: string, author: Author, id: string): Promise<number> {
  const response = await fetch(`${url}/v1/exports/${id}/content`, {
    headers: { authorization: `Bearer ${author.token}` },
  });
  let size = 0;
  for await (const chunk of response.body ?? []) size += (chunk as Uint8Array).length;
  return size;
}

await using database = await openBenchDatabase();
await using ours = await startColophon(database.url(), { LIMITS: 'off' });
const author = await registerAuthor(ours.url);
await database.asOwner((client) => insertArticles(client, author));
await uploadFiles(ours.url, author);
const perSecondByReads = await crawl(ours.url, author);
// The images are decoded, and everything is compiled.
await wait(Number(process.env['BENCH_REST_MS'] ?? 5_000));

async function measured<R>(work: () => Promise<R>) {
  await resetPeak(ours.pid);
  const before = await memoryMiB(ours.pid, 'VmRSS');
  const processor = await processorMs(ours.pid);
  const since = performance.now();
  const result = await work();
  const seconds = (performance.now() - since) / 1_000;
  const peak = await memoryMiB(ours.pid, 'VmHWM');
  const processorSeconds = ((await processorMs(ours.pid)) - processor) / 1_000;
  return { result, seconds, processorSeconds, before, grownMiB: peak - before };
}

const made = await measured(() => exported(ours.url, author));
const sent = await measured(() => downloaded(ours.url, author, made.result.id));
const { byte_size: size } = made.result;
if (sent.result !== size) throw new Error(`${sent.result} of ${size} bytes were sent.`);
const perSecond = articles / made.seconds;
show('export', [
  {
    articles,
    media_files: files,
    archive_MiB: Math.round(size / MiB),
    seconds: Number(made.seconds.toFixed(1)),
    processor_seconds: Number(made.processorSeconds.toFixed(1)),
    articles_per_second: Math.round(perSecond),
    goal_per_second: goalPerSecond,
    articles_per_second_by_reads: Math.round(perSecondByReads),
    resident_MiB_before: made.before,
    grown_MiB: made.grownMiB,
    download_MiB_per_second: Math.round(size / MiB / sent.seconds),
    download_grown_MiB: sent.grownMiB,
  },
]);
