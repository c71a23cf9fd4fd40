// Names the first leaf in which a log that forked differs from a mirror of it.
import type { LogClient, LogFault } from '@colophon/sdk';
import { equalBytes, hashLength, tilePath, tileWidth, tileWidthAt } from '@colophon/tlog';
import type { Finding } from './findings.ts';
import { loadFile } from './mirror-files.ts';
import { mirroredCheckpoint } from './mirror.ts';

/** Two tiles of level 0 as lists of hashes. */
interface Tiles {
  readonly own: readonly Uint8Array[];
  readonly served: readonly Uint8Array[];
}

function split(tile: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: Math.floor(tile.length / hashLength) }, (_, at) =>
    tile.subarray(at * hashLength, (at + 1) * hashLength),
  );
}

const same = (one: Uint8Array | undefined, other: Uint8Array | undefined) =>
  one !== undefined && other !== undefined && equalBytes(one, other);

/** What was done, judged by the neighbours of the first hash that differs. */
function differenceOf({ own, served }: Tiles, at: number): string {
  const isNext = same(own[at + 1], served[at]);
  const isBefore = same(own[at], served[at + 1]);
  if (isNext && isBefore) return 'was exchanged with the next one';
  if (isNext) return 'was dropped';
  return isBefore ? 'was put off by a leaf that was inserted before it' : 'was changed';
}

const maxTile = tileWidth * hashLength;

async function tilesAt(
  { client, folder }: { readonly client: LogClient; readonly folder: string },
  index: number,
  sizes: { readonly own: number; readonly served: number },
): Promise<Tiles> {
  const width = tileWidthAt(0, index, sizes.served);
  const [own, served] = await Promise.all([
    loadFile(folder, tilePath(0, index, tileWidthAt(0, index, sizes.own))),
    width === 0 ? undefined : client.readFile(tilePath(0, index, width), maxTile),
  ]);
  return { own: split(own ?? new Uint8Array()), served: split(served ?? new Uint8Array()) };
}

const sizeOf = (note: string) => Number(note.split('\n')[1]);

/** Returns the first leaf that differs from the mirror; undefined without a mirror of this log. */
async function firstDifference(
  client: LogClient,
  folder: string,
  received: string,
): Promise<Omit<Finding, 'kind'> | undefined> {
  const before = await mirroredCheckpoint(folder);
  if (before === undefined || before.origin !== received.split('\n')[0]) return undefined;
  const sizes = { own: before.size, served: sizeOf(received) };
  for (let index = 0; index * tileWidth < before.size; index += 1) {
    const tiles = await tilesAt({ client, folder }, index, sizes);
    const at = tiles.own.findIndex((hash, place) => !same(hash, tiles.served[place]));
    if (at === -1) continue;
    const leaf = index * tileWidth + at;
    const difference = leaf >= sizes.served ? 'was cut off' : differenceOf(tiles, at);
    return { leaf, path: tilePath(0, index, tileWidth), detail: `Leaf ${leaf} ${difference}.` };
  }
  return undefined;
}

/** Returns what a checkpoint that does not continue the remembered one means, with the leaf if a mirror shows it. */
export async function findFork(
  client: LogClient,
  folder: string,
  fault: LogFault,
): Promise<readonly Finding[]> {
  const kind = fault.reason === 'older' ? 'older' : 'forked';
  const { evidence } = fault;
  const first =
    evidence === undefined ? undefined : await firstDifference(client, folder, evidence.received);
  const whole: Finding = { kind, leaf: null, path: 'checkpoint', detail: fault.message };
  return first === undefined ? [whole] : [whole, { kind, ...first }];
}
