// Reads the pieces of an archive from the store as one stream of bytes, from any offset.
import { Readable } from 'node:stream';
import type { Db } from '#database';
import { problem } from '#http';
import type { RowKey } from '#lib/id';
import type { MediaStore } from '#storage';
import { listParts } from '../queries/index.ts';
import type { PartKind, PartRow } from '../queries/index.ts';

/** A range of bytes, including both ends. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const partsAtOnce = 100;

async function* bytesOf(
  store: Pick<MediaStore, 'open'>,
  { name, head, byte_size }: PartRow,
  { start, end }: Span,
): AsyncGenerator<Buffer> {
  const headSize = head?.length ?? 0;
  // A copy of its own, because its memory is released after it is sent.
  if (head !== null && start < headSize)
    yield Buffer.from(new Uint8Array(head.subarray(start, end + 1)).buffer);
  const last = Math.min(end, byte_size - 1);
  if (last < headSize) return;
  if (name === null) throw new Error('A file of this export was removed.');
  const span = { start: Math.max(start - headSize, 0), end: last - headSize };
  const file = await store.open(name, span);
  if (file === undefined) throw new Error(`The file ${name} is not in the store.`);
  yield* file as AsyncIterable<Buffer>;
}

/** Yields the bytes of all pieces of one kind, in their order, or those of a span of them. */
export async function* readParts(
  { db, store }: { readonly db: Db; readonly store: Pick<MediaStore, 'open'> },
  key: RowKey,
  kind: PartKind,
  { start, end }: Span = { start: 0, end: Number.MAX_SAFE_INTEGER },
): AsyncGenerator<Buffer> {
  for (let after = start; after <= end;) {
    const parts = await listParts(db, key, { kind, after, limit: partsAtOnce });
    for (const part of parts) {
      if (part.start > end) return;
      const from = Math.max(after - part.start, 0);
      yield* bytesOf(store, part, { start: from, end: end - part.start });
      after = part.start + part.byte_size;
    }
    if (parts.length < partsAtOnce) return;
  }
}

/**
 * Opens a span of a finished archive. Memory stays bounded, however slowly the reader takes the bytes. If the export
 * is deleted meanwhile, the stream breaks off, so that no reader takes a part for the whole.
 * @throws gone: it was deleted before the first byte
 */
export async function openArchive(
  services: { readonly db: Db; readonly store: Pick<MediaStore, 'open'> },
  key: RowKey,
  span: Span,
): Promise<Readable> {
  const pieces = readParts(services, key, 'archive', span);
  const first = await pieces.next();
  if (first.done === true) throw problem('gone', 'The export has expired. Request a new export.');
  async function* whole(begin: Buffer): AsyncGenerator<Buffer> {
    let left = span.end - span.start + 1 - begin.length;
    yield begin;
    for await (const bytes of pieces) {
      left -= bytes.length;
      yield bytes;
    }
    if (left > 0) throw new Error('The export was deleted while it was sent.');
  }
  const bytes = Readable.from(whole(first.value), { objectMode: false });
  // A generator that has not started does not close what it would read.
  bytes.once('close', () => void pieces.return(undefined).catch(() => undefined));
  return bytes;
}
