// An export of 10,000 articles and 1 GB of media: articles a second, and the memory of the server.
import { setTimeout as wait } from 'node:timers/promises';
import { contentOf, requestExport, insertArticles, uploadFiles } from './parts/account.ts';
import { registerAuthor } from './parts/author.ts';
import type { Author } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { show } from './parts/figures.ts';
import { memoryMiB, resetPeak } from './parts/memory.ts';
import { processorMs } from './parts/processor.ts';

const articles = Number(process.env['BENCH_ARTICLES'] ?? 10_000);
const files = Number(process.env['BENCH_FILES'] ?? 200);
const MiB = 1024 * 1024;
const goalPerSecond = 500;
const crawled = 500;

/** Reads articles with their revisions and proofs one by one, as a client without exports must. */
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

async function download(url: string, author: Author, id: string): Promise<number> {
  let size = 0;
  for await (const chunk of await contentOf(url, author, id)) size += chunk.length;
  return size;
}

await using database = await openBenchDatabase();
await using ours = await startColophon(database.url(), { LIMITS: 'off' });
const author = await registerAuthor(ours.url);
await database.asOwner((client) => insertArticles(client, author, articles));
await uploadFiles(ours.url, author, files);
const perSecondByReads = await crawl(ours.url, author);
// The images are decoded, and everything is compiled.
await wait(Number(process.env['BENCH_REST_MS'] ?? 5_000));

async function measureWork<R>(work: () => Promise<R>) {
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

const made = await measureWork(() => requestExport(ours.url, author));
const sent = await measureWork(() => download(ours.url, author, made.result.id));
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
