// The interface of media stores.
import type { Readable } from 'node:stream';

/** What a file is for. Each use has names of its own; the default is the media of participants. */
export type Use = 'media' | 'export';

/** Bytes to be stored. */
export interface Incoming {
  readonly use?: Use;
  /** Bucket of the record that the bytes belong to: names of one bucket share a prefix. */
  readonly bucket: number;
  /** Exact number of bytes. */
  readonly length: number;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Called with each chunk that the store no longer needs; a store that cannot know this never calls it. */
  readonly release?: (chunk: Uint8Array) => void;
}

/** A stored file. */
export interface StoredFile {
  /** Never reused, so that removing a name cannot remove a later file. */
  readonly name: string;
  readonly size: number;
  /** SHA-256 in hexadecimal digits. */
  readonly checksum: string;
}

export interface Listed {
  readonly name: string;
  readonly storedAt: Date;
}

/** A range of bytes, including both ends. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * A store of media. A name leads to a complete file or none: an interrupted upload leaves nothing that can be
 * opened. Every function throws the store's error if the store is unavailable.
 */
export interface MediaStore extends AsyncDisposable {
  /** Whether this many more bytes may be stored: for a folder, whether the disk keeps its reserve. */
  hasRoom(bytes: number): Promise<boolean>;
  /** Stores the bytes durably before it resolves. Throws what `chunks` throws, and stores nothing then. */
  put(incoming: Incoming): Promise<StoredFile>;
  /** The same under a name that a backup recorded, of this or of another kind of store. */
  putAs(name: string, incoming: Pick<Incoming, 'length' | 'chunks'>): Promise<void>;
  /** Whether the store contains no file. */
  isEmpty(): Promise<boolean>;
  /** Returns the bytes as a stream; undefined if the name does not exist. */
  open(name: string, span?: Span): Promise<Readable | undefined>;
  exists(name: string): Promise<boolean>;
  /** Deletes a file; a missing name is not an error. */
  delete(name: string): Promise<void>;
  /** Lists every name of a bucket and use. */
  list(bucket: number, use?: Use): AsyncIterable<Listed>;
  /** Removes incomplete uploads older than that time; returns their number. */
  sweep(before: Date): Promise<number>;
}

/** Returns the prefix of a bucket: three digits for each of the 4,096, below the folder of the use. */
export function prefixOf(bucket: number, use: Use = 'media'): string {
  const digits = bucket.toString(16).padStart(3, '0');
  return use === 'media' ? digits : `exports/${digits}`;
}
