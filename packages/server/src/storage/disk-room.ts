// The free room of a folder's disk, and the reserve that is kept free for the database.
import { statfs } from 'node:fs/promises';
import { makeFolders } from '#runtime';

/** Twice the write-ahead log of a busy hour, with some time for an operator to act. */
const reserveMax = 2 * 2 ** 30;
const reserveShare = 0.05;

export interface DiskRoom {
  readonly freeBytes: number;
  readonly reserveBytes: number;
}

/**
 * Returns the free and the reserved bytes. `reserve` undefined: 2 GiB, or 5 % of the disk if that is less.
 */
export async function diskRoom(folder: string, reserve: number | undefined): Promise<DiskRoom> {
  await makeFolders(folder, 0o700);
  const { bavail, blocks, bsize } = await statfs(folder);
  const reserveBytes = reserve ?? Math.min(reserveMax, Math.floor(blocks * bsize * reserveShare));
  return { freeBytes: bavail * bsize, reserveBytes };
}
