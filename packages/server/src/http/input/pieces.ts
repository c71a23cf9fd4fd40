// How many pieces a body may come in: each costs the event loop some microseconds, however short it is.

/** Any body may come in so many. */
const anyway = 4_096;
/** Beyond those a piece has so many bytes on average. A packet of Ethernet carries 1,460. */
const bytesEach = 256;

/** Counts the pieces of a body. The function takes the bytes of the next one; false: there are too many. */
export function countPieces(): (bytes: number) => boolean {
  let pieces = 0;
  let size = 0;
  return (bytes) => {
    pieces += 1;
    size += bytes;
    return pieces <= anyway + size / bytesEach;
  };
}
