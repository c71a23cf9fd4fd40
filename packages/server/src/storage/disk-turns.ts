// Work on a disk takes turns, so that a disk that hangs leaves a thread of Node.js free for everything else.
import { close, open, read, write, writev } from 'node:fs';

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

type Done = (error: Error | null, ...results: unknown[]) => void;

/** Returns the function of `node:fs` with a callback, which waits for its turn and ends it before the callback. */
function inTurn<T extends unknown[]>(
  work: (...given: [...T, Done]) => void,
): (...given: [...T, Done]) => void {
  return (...given) => {
    const done = given.pop() as Done;
    if (waiting.length >= waitingMax) return done(hangs());
    begin(() =>
      work(...(given as unknown as T), (...results) => {
        end();
        done(...results);
      }),
    );
  };
}

/** The functions with which streams of files open, read and write in turn. */
export const diskWorks = {
  open: inTurn<[path: string, flags: string, mode: number]>(open),
  read: inTurn<[file: number, bytes: Buffer, offset: number, length: number, at: number]>(read),
  write: inTurn<[file: number, bytes: Buffer, offset: number, length: number, at: number]>(write),
  writev: inTurn<[file: number, chunks: Buffer[], at: number]>(writev),
  close,
};
