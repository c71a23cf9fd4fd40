// What each stage of an export adds to the archive.
import { exportedKeys, ownRecord } from '#identity';
import { exportedFiles, exportedMedia } from '#media';
import type { ExportedFile } from '#media';
import { describeLog } from '#log';
import { releaseBuffer } from '#runtime';
import { exportedComments, exportedEdges, exportedFollows } from '#social';
import { crc32 } from 'node:zlib';
import { articlesPerPage, indexPage, pageFile, pagesOf } from '../rules/index-page.ts';
import type { Stage } from '../rules/exports.ts';
import type { IndexFacts } from '../rules/index-page.ts';
import { archiveEnd } from '../rules/zip.ts';
import type { Counts } from '../queries/index.ts';
import { readParts } from './archive-reader.ts';
import { pack } from './archive-writer.ts';
import { addArticles } from './article-files.ts';
import type { Step, Stepped } from './step.ts';

interface Page {
  readonly records: readonly object[];
  /** Records that are left out because they were removed. */
  readonly removed?: number;
  readonly next: string | undefined;
}

/** Returns the stage that writes all records of one kind, one JSON object a line. */
function listStage(
  count: keyof Counts,
  list: (step: Step, before: string | undefined) => Promise<Page>,
) {
  return async (step: Step): Promise<Stepped> => {
    let [written, tombstones] = [0, 0];
    async function* lines(): AsyncGenerator<string> {
      let before: string | undefined;
      do {
        const { records, removed = 0, next } = await list(step, before);
        yield records.map((record) => `${JSON.stringify(record)}\n`).join('');
        written += records.length;
        tombstones += removed;
        before = next;
      } while (before !== undefined);
    }
    await step.writer.stream(`data/${count}.jsonl`, lines());
    return { next: undefined, counts: { [count]: written }, tombstones };
  };
}

async function crcOf({ services }: Step, file: ExportedFile): Promise<number | undefined> {
  const bytes = await services.store.open(file.name);
  if (bytes === undefined) return undefined;
  let crc = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    crc = crc32(chunk, crc);
    releaseBuffer(chunk);
  }
  return crc;
}

async function addFiles(step: Step): Promise<Stepped> {
  const { reading, row, writer, services } = step;
  const before = row.position === '' ? undefined : row.position;
  const { records, next } = await exportedFiles(reading.db, reading.caller, before);
  for (const file of records) {
    const { size, checksum } = file;
    const crc = await crcOf(step, file);
    if (crc === undefined)
      services.log.error({ name: file.name, export: row.id }, 'An export leaves out a lost file.');
    else await writer.addOriginal({ path: `media/${file.fileName}`, size, crc, checksum });
  }
  return { next };
}

async function addPrincipal({ reading, writer }: Step): Promise<Stepped> {
  const record = await ownRecord(reading.db, reading.caller);
  await writer.add(await pack('data/principal.json', `${JSON.stringify(record)}\n`));
  return { next: undefined };
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield `${line}\n`;
  }
}

async function addIndex({ reading, writer, row, services }: Step): Promise<Stepped> {
  const record = await ownRecord(reading.db, reading.caller);
  const facts: IndexFacts = {
    username: row.username,
    displayName: record?.display_name ?? null,
    origin: services.config.baseUrl,
    exportedAt: row.created_at,
    counts: { ...row.counts },
  };
  let [page, lines, count] = [1, '', 0];
  const addPage = async () => {
    await writer.add(await pack(pageFile(page), indexPage(facts, page, lines)));
    [page, lines, count] = [page + 1, '', 0];
  };
  for await (const line of linesOf(readParts(services, row, 'listing'))) {
    if (count === articlesPerPage) await addPage();
    lines += line;
    count += 1;
  }
  while (page <= pagesOf(row.counts.articles)) await addPage();
  return { next: undefined };
}

/** What readers of the archive need to verify the log's part of its proofs. */
async function logOf({ reading, services }: Step) {
  const log = await describeLog(reading.db, services.config, null);
  if (log === null) return null;
  const { witness_key: _, ...identity } = log;
  return identity;
}

async function addEnd(step: Step): Promise<Stepped> {
  const { reading, writer, row, services } = step;
  const principal = await ownRecord(reading.db, reading.caller);
  const listed = readParts(services, row, 'checksums');
  const checksums = await writer.stream('checksums.txt', listed, false);
  const manifest = {
    format: 'colophon-export',
    version: 1,
    origin: services.config.baseUrl,
    exported_at: row.created_at,
    log: await logOf(step),
    principal,
    counts: row.counts,
    checksums_sha256: checksums,
  };
  await writer.add(await pack('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`), false);
  await writer.endDirectory(({ entries, archive, directory }) =>
    archiveEnd({ entries, start: archive, size: directory }),
  );
  return { next: undefined, checksums };
}

const stages: Readonly<Record<Stage, (step: Step) => Promise<Stepped>>> = {
  articles: addArticles,
  comments: listStage('comments', ({ reading }, before) =>
    exportedComments(reading.db, reading.caller, before),
  ),
  edges: listStage('edges', ({ reading }, before) =>
    exportedEdges(reading.db, reading.caller, before),
  ),
  follows: listStage('follows', ({ reading }, before) =>
    exportedFollows(reading.db, reading.caller, before),
  ),
  media: listStage('media', ({ reading }, before) =>
    exportedMedia(reading, reading.caller, before),
  ),
  keys: listStage('keys', ({ reading }, before) =>
    exportedKeys(reading.db, reading.caller, before),
  ),
  principal: addPrincipal,
  files: addFiles,
  index: addIndex,
  end: addEnd,
};

/** Runs one step of a stage. */
export function runStage(stage: string, step: Step): Promise<Stepped> {
  const run = stages[stage as Stage];
  if (run === undefined) throw new Error(`No stage of an export is called ${stage}.`);
  return run(step);
}
