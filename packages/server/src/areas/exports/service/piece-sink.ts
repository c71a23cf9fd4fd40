// Collects bytes of one kind and stores them in pieces of a few megabytes.
import type { MediaStore } from '#storage';
import type { NewPart, PartKind } from '../queries/index.ts';

/** Bytes of one piece in the store, about. */
const pieceBytes = 2 * 1024 * 1024;

/** A sink has at most a piece in memory. */
export type PieceSink = ReturnType<typeof openPieceSink>;

/** Opens a sink whose first byte is at `from` among those of its kind. */
export function openPieceSink(
  store: Pick<MediaStore, 'put'>,
  bucket: number,
  kind: PartKind,
  from: number,
) {
  let pieces: Buffer[] = [];
  let waiting = 0;
  let stored = from;
  const parts: NewPart[] = [];
  async function flush(): Promise<void> {
    if (waiting === 0) return;
    const [chunks, length] = [pieces, waiting];
    pieces = [];
    waiting = 0;
    const file = await store.put({ bucket, use: 'export', length, chunks });
    parts.push({
      kind,
      start: stored,
      byteSize: length,
      head: null,
      name: file.name,
      checksum: null,
    });
    stored += length;
  }
  return {
    parts,
    flush,
    size: () => stored + waiting,
    append: async (bytes: Buffer): Promise<void> => {
      pieces.push(bytes);
      waiting += bytes.length;
      if (waiting >= pieceBytes) await flush();
    },
    /** Places bytes that are stored elsewhere. */
    place: async (head: Buffer, size: number, checksum: string): Promise<void> => {
      await flush();
      const byteSize = head.length + size;
      parts.push({ kind, start: stored, byteSize, head, name: null, checksum });
      stored += byteSize;
    },
  };
}
