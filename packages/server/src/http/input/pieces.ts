// Limits the chunks of a body: each costs the event loop some microseconds, however short it is.

/** Number of chunks that any body may have. */
const anyway = 4_096;
/** Minimum average bytes of further chunks. An Ethernet packet carries 1,460. */
const bytesEach = 256;

/** Returns a function that counts a chunk by its bytes and returns false if there are too many. */
export function countPieces(): (bytes: number) => boolean {
  let pieces = 0;
  let size = 0;
  return (bytes) => {
    pieces += 1;
    size += bytes;
    return pieces <= anyway + size / bytesEach;
  };
}
