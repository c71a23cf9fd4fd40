// The one door that bytes go through, whatever keeps them.
import type { Readable } from 'node:stream';

/** Bytes that are about to come. */
export interface Incoming {
  /** Bucket of the record that they belong to: names of one bucket stand together. */
  readonly bucket: number;
  /** Exactly so many. */
  readonly length: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Told of each chunk that the store has no more use for; a store that cannot know tells nothing. */
  readonly taken?: (chunk: Uint8Array) => void;
}

/** Bytes that are kept. */
export interface Kept {
  /** Never used a second time, so that whoever removes a name removes nothing that came later. */
  readonly name: string;
  readonly size: number;
  /** SHA-256 in hexadecimal digits. */
  readonly checksum: string;
}

export interface Listed {
  readonly name: string;
  readonly keptAt: Date;
}

/** Both ends are included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where media are kept. A name answers whole bytes or none: what breaks off leaves nothing that can be
 * opened. Every function throws what the store says when it does not answer.
 */
export interface MediaStore extends AsyncDisposable {
  /** Whether so many bytes more may come: on a folder, whether the disk keeps its reserve. */
  hasRoom(bytes: number): Promise<boolean>;
  /** Keeps the bytes for good before it answers. Throws what `chunks` throws, and keeps nothing then. */
  put(incoming: Incoming): Promise<Kept>;
  /** Bytes as a stream; undefined where there are none of this name. */
  open(name: string, span?: Span): Promise<Readable | undefined>;
  exists(name: string): Promise<boolean>;
  /** Nothing of this name is no fault. */
  delete(name: string): Promise<void>;
  /** Every name of a bucket. */
  list(bucket: number): AsyncIterable<Listed>;
  /** Removes what broke off before that time; answers how many. */
  sweep(before: Date): Promise<number>;
}

/** Three digits for each of the 4,096 buckets. */
export function prefixOf(bucket: number): string {
  return bucket.toString(16).padStart(3, '0');
}
