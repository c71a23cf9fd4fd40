// An export of 10,000 articles and 1 GB of media, imported by the command line into another account, twice, and
// exported again: articles a second, the memory of the importer, and whether every text and file arrived.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { restoreLinks } from '../packages/cli/src/import/archive/media-links.ts';
import { openSource } from '../packages/cli/src/import/index.ts';
import type { ImportReport } from '../packages/cli/src/import/index.ts';
import type { SourceArticle } from '../packages/cli/src/import/source.ts';
import { contentHash } from '../packages/server/src/lib/canonical-json.ts';
import { buildProgram } from '../scripts/programs/build.ts';
import { contentOf, requestExport, insertArticles, uploadFiles } from './parts/account.ts';
import { registerAuthor } from './parts/author.ts';
import type { Author } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { show } from './parts/figures.ts';
import { memoryMiB } from './parts/memory.ts';
import { processorMs } from './parts/processor.ts';

const articles = Number(process.env['BENCH_ARTICLES'] ?? 10_000);
const files = Number(process.env['BENCH_FILES'] ?? 200);
const MiB = 1024 * 1024;
const pollMs = 50;

const place = await mkdtemp(join(tmpdir(), 'colophon-import-'));
await buildProgram('cli', place);

async function writeArchive(url: string, author: Author, name: string): Promise<string> {
  const { id } = await requestExport(url, author);
  const path = join(place, name);
  await pipeline(await contentOf(url, author, id), createWriteStream(path));
  return path;
}

/** Runs `colophon import`, and follows its memory and its processor time until it ends. */
async function runImport(url: string, { token }: Author, archive: string) {
  const since = performance.now();
  const child = spawn(process.execPath, [join(place, 'colophon.js'), 'import', archive, '--json'], {
    env: { PATH: process.env['PATH'] ?? '', COLOPHON_URL: url, COLOPHON_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const answer = text(child.stdout);
  let [peakMiB, ms] = [0, 0];
  while (child.exitCode === null && child.signalCode === null) {
    const pid = child.pid ?? 0;
    peakMiB = (await memoryMiB(pid, 'VmHWM').catch(() => peakMiB)) || peakMiB;
    ms = (await processorMs(pid).catch(() => ms)) || ms;
    await wait(pollMs);
  }
  await ended;
  const { counts, items, stopped } = JSON.parse(await answer) as ImportReport;
  if (stopped !== null || items.length > 0)
    throw new Error(JSON.stringify([stopped, items.slice(0, 9)]));
  return { counts, peakMiB, processorMs: ms, seconds: (performance.now() - since) / 1_000 };
}

interface Origin {
  readonly article_id: string;
  readonly number: number;
  readonly links?: Readonly<Record<string, string>>;
}

/** Returns the hashes of the texts of an article, by their place at the origin. */
async function hashesOf(article: SourceArticle): Promise<readonly (readonly [string, string])[]> {
  const revisions = await article.revisions(() => undefined);
  return Promise.all(
    revisions.map(async ({ title, content, metadata }, index) => {
      const { origin, ...own } = metadata as { origin?: Origin };
      const {
        article_id: id,
        number,
        links,
      } = origin ?? {
        article_id: article.key.id,
        number: index + 1,
      };
      const restored = restoreLinks(content, links ?? {});
      return [
        `${id} ${number}`,
        await contentHash({ title, content: restored, metadata: own }),
      ] as const;
    }),
  );
}

/** Returns the hashes of all texts, and the checksums of all files, of an archive whose sums are verified. */
async function contentsOf(archive: string) {
  await using source = await openSource(archive);
  const texts = new Map<string, string>();
  const sums = new Set<string>();
  for await (const article of source.articles()) {
    if ('unfit' in article) throw new Error(article.unfit);
    for (const { sha256 = '' } of article.media) sums.add(sha256);
    for (const [place, hash] of await hashesOf(article)) {
      if (texts.has(place)) throw new Error(`${place} is there twice.`);
      texts.set(place, hash);
    }
  }
  return { texts, sums };
}

function requireSame(
  before: Awaited<ReturnType<typeof contentsOf>>,
  after: Awaited<ReturnType<typeof contentsOf>>,
): void {
  for (const [key, hash] of before.texts)
    if (after.texts.get(key) !== hash) throw new Error(`The text ${key} is not the same.`);
  for (const sum of before.sums) if (!after.sums.has(sum)) throw new Error(`${sum} is missing.`);
  const counts = [before, after].map(({ texts, sums }) => `${texts.size} and ${sums.size}`);
  if (counts[0] !== counts[1]) throw new Error(`Texts and files: ${counts.join(', then ')}.`);
}

try {
  await using database = await openBenchDatabase();
  await using ours = await startColophon(database.url(), { LIMITS: 'off' });
  const [from, to] = [await registerAuthor(ours.url), await registerAuthor(ours.url)];
  const images = await uploadFiles(ours.url, from, files);
  await database.asOwner((client) => insertArticles(client, from, articles, images));
  const archive = await writeArchive(ours.url, from, 'first.zip');
  const serverMs = await processorMs(ours.pid);
  const first = await runImport(ours.url, to, archive);
  const serverSeconds = ((await processorMs(ours.pid)) - serverMs) / 1_000;
  const second = await runImport(ours.url, to, archive);
  const again = await writeArchive(ours.url, to, 'again.zip');
  const [before, after] = [await contentsOf(archive), await contentsOf(again)];
  requireSame(before, after);
  const { size } = await stat(archive);
  const row = (what: string, run: Awaited<ReturnType<typeof runImport>>) => ({
    what,
    articles: run.counts.imported,
    already_there: run.counts.present,
    media_uploaded: run.counts.media_uploaded,
    archive_MiB: Math.round(size / MiB),
    seconds: Number(run.seconds.toFixed(1)),
    articles_per_second: Math.round(articles / run.seconds),
    processor_seconds: Number((run.processorMs / 1_000).toFixed(1)),
    peak_MiB: run.peakMiB,
  });
  show('import', [row('first run', first), row('second run', second)], {
    server_processor_seconds: serverSeconds,
    texts_compared: before.texts.size,
    files_compared: before.sums.size,
  });
} finally {
  await rm(place, { recursive: true, force: true });
}
