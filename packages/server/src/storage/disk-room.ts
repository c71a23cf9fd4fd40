// How much room the disk of a folder has, beside what is kept free for the database.
import { mkdir, statfs } from 'node:fs/promises';

/** Twice the write-ahead log of a busy hour, with some room for an operator to act. */
const reserveMax = 2 * 2 ** 30;
const reserveShare = 0.05;

export interface DiskRoom {
  readonly freeBytes: number;
  readonly reserveBytes: number;
}

/** `reserve` undefined: 2 GiB, or 5 % of the disk where that is less. */
export async function diskRoom(folder: string, reserve: number | undefined): Promise<DiskRoom> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, blocks, bsize } = await statfs(folder);
  const reserveBytes = reserve ?? Math.min(reserveMax, Math.floor(blocks * bsize * reserveShare));
  return { freeBytes: bavail * bsize, reserveBytes };
}
