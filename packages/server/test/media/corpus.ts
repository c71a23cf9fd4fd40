// Every file of the corpus, with what it may be served as.
import type { Kind } from '../media-files.ts';
import { latin } from './pieces.ts';
import type { Row } from './pieces.ts';
import { refused } from './refused.ts';
import { taken } from './taken.ts';

export interface CorpusFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** What it may be served as; undefined: never served. */
  readonly type: string | undefined;
}

function filesOf(rows: readonly Row[], type: string | undefined): CorpusFile[] {
  return rows.map(([name, bytes]) => ({
    name: type === undefined ? name : `${type}: ${name}`,
    bytes: typeof bytes === 'string' ? latin(bytes) : bytes,
    type,
  }));
}

export const corpus: readonly CorpusFile[] = [
  ...Object.entries(taken).flatMap(([type, rows]) => filesOf(rows, type)),
  ...filesOf(refused, undefined),
];

const kinds: Readonly<Record<string, Kind>> = { image: 'image', video: 'video', audio: 'audio' };

/** The kind that a type belongs to. */
export function kindOf(type: string): Kind {
  return kinds[type.split('/')[0] ?? ''] ?? 'document';
}
