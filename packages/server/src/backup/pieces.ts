// Cuts streams of lines into pieces that fit in memory, and counts lines.

/**
 * Bytes after which a piece ends, at the end of its line: little enough to be hashed and counted between two
 * requests.
 */
const pieceBytes = 1024 * 1024;
const lineFeed = 10;

/** Yields the bytes in pieces of whole lines. A line that is longer than a piece is one piece. */
export async function* inPieces(
  chunks: AsyncIterable<Uint8Array>,
  bytes = pieceBytes,
): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < bytes || !chunk.includes(lineFeed)) continue;
    const all = Buffer.concat(waiting, size);
    const end = all.lastIndexOf(lineFeed) + 1;
    yield all.subarray(0, end);
    waiting = end === all.length ? [] : [all.subarray(end)];
    size = all.length - end;
  }
  if (size > 0) yield Buffer.concat(waiting, size);
}

/** Returns the number of line feeds. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1))
    count += 1;
  return count;
}
