// A full audit of a log: leaves a second that are read from the disk, hashed, and compared. LEAVES sets how many; the long form is 10000000.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createFrontier,
  entriesPath,
  fullTileHash,
  hashLength,
  leafHash,
  packEntries,
  tilePath,
  tilesOf,
  tileWidth,
  writeCheckpoint,
} from '@colophon/tlog';
import { openFindings } from '../packages/cli/src/transparency/findings.ts';
import { openLeafReader } from '../packages/cli/src/transparency/leaves.ts';
import { loadFile, storeFile } from '../packages/cli/src/transparency/mirror-files.ts';
import { mirrorLog } from '../packages/cli/src/transparency/mirror.ts';
import { sha256 } from '../packages/cli/src/transparency/sha256.ts';

const leaves = Number(process.env['LEAVES'] ?? 1_000_000);
const number = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const start = Date.parse('2026-01-01T00:00:00.000Z');

/** A publication as the log has it. A tenth of the articles have several revisions. */
function entryOf(index: number): Buffer {
  const id = (value: number) => `01${String(value).padStart(24, '0')}`;
  const at = new Date(start + index * 1000).toISOString();
  const leaf = {
    article: id(Math.floor(index * 0.9)),
    at,
    author: id(1),
    commitment: String(index).padStart(64, '0'),
    key: null,
    kind: 'publication',
    owner: null,
    published_at: at,
    revision: id(index),
    signed: false,
    v: 1,
  };
  return Buffer.from(JSON.stringify(leaf));
}

/** Writes the entries and tiles of level 0, as an earlier audit left them. Returns root and bytes. */
async function write(
  folder: string,
): Promise<{ readonly root: Uint8Array; readonly bytes: number }> {
  const frontier = createFrontier(sha256);
  let bytes = 0;
  for (const { level, index, width } of tilesOf(leaves)) {
    if (level > 0) break;
    const entries = Array.from({ length: width }, (_, at) => entryOf(index * tileWidth + at));
    const hashes = Buffer.concat(entries.map((entry) => leafHash(sha256, entry)));
    const packed = packEntries(entries);
    await storeFile(folder, entriesPath(index, width), packed);
    await storeFile(folder, tilePath(0, index, width), hashes);
    bytes += packed.length + hashes.length;
    if (width === tileWidth) frontier.add(fullTileHash(sha256, hashes), 8);
    else
      for (let at = 0; at < width; at += 1)
        frontier.add(hashes.subarray(at * hashLength, (at + 1) * hashLength));
  }
  return { root: frontier.root(), bytes };
}

const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-log-'));
try {
  const written = performance.now();
  const { root, bytes } = await write(folder);
  const writing = (performance.now() - written) / 1000;
  const note = `${writeCheckpoint({ origin: 'bench.example/log', size: leaves, root, extensions: [] })}\n`;
  const checkpoint = { origin: 'bench.example/log', size: leaves, root, note, witnesses: [] };
  const findings = openFindings();
  const reader = openLeafReader(findings, undefined);
  // The log itself is the same folder: the tiles above level 0 are compared with nothing.
  const client = {
    readFile: async (path: string) =>
      path.startsWith('tile/0') ? loadFile(folder, path) : undefined,
  } as unknown as Parameters<typeof mirrorLog>[0]['client'];
  const walk = {
    signal: new AbortController().signal,
    onLeaf: reader.read,
    onProgress: () => undefined,
  };
  const [began, used] = [performance.now(), process.cpuUsage()];
  const isWhole = await mirrorLog({ folder, client, findings }, checkpoint, walk);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(used);
  const processor = (user + system) / 1_000_000;
  if (!isWhole) throw new Error('The audit did not reach the root.');
  const memory = process.memoryUsage.rss() / 1_000_000;
  process.stdout.write(
    [
      `Leaves:  ${number.format(leaves)}, ${(bytes / leaves).toFixed(0)} bytes each in entries and tiles`,
      `Written: ${number.format(leaves / writing)} leaves a second`,
      `Audited: ${number.format(leaves / seconds)} leaves a second (${seconds.toFixed(1)} s; ${number.format(leaves / processor)} in a second of processor time), ${memory.toFixed(0)} MB`,
      '',
    ].join('\n'),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
