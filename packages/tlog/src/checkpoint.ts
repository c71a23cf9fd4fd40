// The text of a checkpoint: which log, how many leaves, which root (C2SP tlog-checkpoint).
import { fromBase64, toBase64 } from './encoding.ts';
import { hashLength, isCount } from './hashing.ts';

export interface Checkpoint {
  /** Identifies the log; the name of its key. */
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
  /** Further lines. The specification recommends none. */
  readonly extensions: readonly string[];
}

/** Reads the text of a note as a checkpoint; returns undefined if it is none. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  if (!text.endsWith('\n')) return undefined;
  const lines = text.slice(0, -1).split('\n');
  const [origin = '', digits = '', base64 = '', ...extensions] = lines;
  const [size, root] = [Number(digits), fromBase64(base64)];
  if (lines.some((line) => line === '') || !/^(?:0|[1-9]\d*)$/.test(digits) || !isCount(size))
    return undefined;
  return root?.length === hashLength ? { origin, size, root, extensions } : undefined;
}

/** Writes the text of a checkpoint. @throws TypeError for one that could not be read again */
export function writeCheckpoint({ origin, size, root, extensions }: Checkpoint): string {
  const text = `${[origin, String(size), toBase64(root), ...extensions].join('\n')}\n`;
  const read = parseCheckpoint(text);
  if (read?.origin !== origin || read.extensions.length !== extensions.length)
    throw new TypeError('This is not a checkpoint.');
  return text;
}
