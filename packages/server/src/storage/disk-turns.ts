// Work on a disk takes turns, so that a disk that hangs leaves a thread of Node.js free for everything else.
import { close, open, read } from 'node:fs';
import type { createReadStream } from 'node:fs';

/**
 * Node.js has four threads for files, compression and names of hosts. A read that hangs keeps its thread until the disk
 * answers.
 */
const atOnce = 3;
/** More than ever waits for a disk that answers: what comes later fails at once. */
const waitingMax = 1_000;

const waiting: (() => void)[] = [];
let running = 0;

function begin(work: () => void): void {
  if (running < atOnce) {
    running += 1;
    work();
  } else {
    waiting.push(work);
  }
}

function end(): void {
  const next = waiting.shift();
  if (next === undefined) running -= 1;
  else next();
}

function hangs(): Error {
  return Object.assign(new Error('The disk does not answer.'), { code: 'EIO' });
}

/** Does the work when it is its turn. @throws EIO when very much waits for the disk already */
export async function inDiskTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= waitingMax) throw hangs();
  await new Promise<void>(begin);
  try {
    return await work();
  } finally {
    end();
  }
}

type Done = (error: NodeJS.ErrnoException | null, ...results: unknown[]) => void;

/** Returns a callback that ends the turn first. */
function endTurnBefore(done: Done): Done {
  return (...results) => {
    end();
    done(...results);
  };
}

/** The functions with which `createReadStream` opens and reads in turn. */
export const diskReads = {
  open: (path: string, flags: string, mode: number, done: Done) => {
    if (waiting.length >= waitingMax) done(hangs());
    else begin(() => open(path, flags, mode, endTurnBefore(done)));
  },
  read: (
    file: number,
    buffer: Buffer,
    ...[offset, length, position, done]: [number, number, number | null, Done]
  ) => begin(() => read(file, buffer, offset, length, position, endTurnBefore(done))),
  close,
} as unknown as NonNullable<Exclude<Parameters<typeof createReadStream>[1], string>>['fs'];
