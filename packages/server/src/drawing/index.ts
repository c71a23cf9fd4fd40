// Draws share images one at a time, in the process of packages/share-images: a crash there ends only that process.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { cardKey, environmentIn, program, settingsIn } from '@colophon/share-images';
import type { Answer, Card } from '@colophon/share-images';
import { limitProcessor, makeTemporary, removeTemporary } from '#runtime';
import type { Confinement } from '#runtime';

export interface Drawing extends AsyncDisposable {
  /**
   * Draws a card and returns it as PNG. Concurrent calls for the same card share one drawing.
   * Returns undefined when more than `waitingMax` others are queued before it.
   * @throws Error when drawing fails or the process is killed
   */
  draw(card: Card, waitingMax?: number): Promise<Buffer | undefined>;
  /** The pid of the drawing process, if one is running. */
  running(): number | undefined;
}

/** A card takes less than a second of work. The second limit is for a machine that is busy with more urgent work. */
const limits = { workMs: 15_000, longestMs: 120_000 };
/** A warm process draws in a fifth of the time, but takes memory while it is idle. */
const idleMs = 30_000;
/** The process is replaced after this many images, which frees memory that a library leaks. */
const imagesMax = 2_000;

interface Artist extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Resolves when the process has ended or could not start. */
  readonly gone: Promise<void>;
  drawn: number;
}

/** A process that is drawing keeps this process running. */
function keepAlive(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

/** An idle process does not: it ends together with this process. */
function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** Makes the folder of one process, which removes it when it ends unless it is killed. */
async function makeFolder(uid: number | undefined): Promise<string> {
  const folder = await makeTemporary('drawing');
  const { file, text } = settingsIn(folder);
  try {
    await writeFile(file, text);
    // The folder last: after that it belongs to another user.
    if (uid !== undefined) for (const name of [file, folder]) await chown(name, uid, uid);
  } catch (error) {
    await removeTemporary(folder, undefined).catch(() => undefined);
    throw error;
  }
  return folder;
}

async function start({ words, uid }: Confinement): Promise<Artist> {
  const folder = await makeFolder(uid);
  const [execPath, ...before] = [...words, process.execPath];
  const child = fork(program, [folder], {
    execPath,
    execArgv: [...before, '--max-old-space-size=192'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    cwd: '/',
    // The environment of the server is not passed on: it contains settings and keys of stores and databases.
    env: environmentIn(folder),
  });
  if (child.pid !== undefined) setPriority(child.pid, 10);
  let unstarted: Error | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    // Also emitted for a message that could not be sent: in that case the process is ending.
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      unstarted = error;
      resolve();
    });
  });
  // A folder that cannot be removed is swept at the next start.
  const gone = ended.then(() => removeTemporary(folder, uid).catch(() => undefined));
  // Without a descriptor or a process left, it has no channel either.
  if (child.pid === undefined) {
    await gone;
    throw unstarted ?? new Error('No drawing process could be started.');
  }
  return {
    child,
    gone,
    drawn: 0,
    [Symbol.asyncDispose]: async () => {
      keepAlive(child);
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function ask({ child, gone }: Artist, card: Card): Promise<Buffer> {
  const settled = new AbortController();
  const watch = limitProcessor(child, limits);
  keepAlive(child);
  try {
    const answered = once(child, 'message', { signal: settled.signal }) as Promise<[Answer]>;
    // The end of this function aborts it: if something throws before the race, nothing else handles that.
    answered.catch(() => undefined);
    child.send(card, () => undefined);
    const first = await Promise.race([answered, gone.then(() => undefined)]);
    if (first === undefined) throw new Error('The drawing process ended before it finished.');
    const [answer] = first;
    if ('failed' in answer) throw new Error(`An image could not be drawn: ${answer.failed}`);
    return Buffer.from(answer.png);
  } finally {
    release(child);
    watch.stop();
    settled.abort();
  }
}

/**
 * Opens the drawing. No process starts until the first card. `confine` returns how to start the program with
 * fewer rights; it is called once.
 */
export function openDrawing(
  confine: (program: string) => Promise<Confinement> = async () => ({ words: [], uid: undefined }),
): Drawing {
  let confined: Promise<Confinement> | undefined;
  const shared = new Map<string, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();
  let artist: Artist | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  async function dismiss(): Promise<void> {
    const leaving = artist;
    artist = undefined;
    await leaving?.[Symbol.asyncDispose]();
  }

  async function ready(): Promise<Artist> {
    if (artist !== undefined && (!artist.child.connected || artist.drawn >= imagesMax))
      await dismiss();
    confined ??= confine(program);
    artist ??= await start(await confined);
    if (!closed) return artist;
    await dismiss();
    throw new Error('The drawing process is stopped.');
  }

  async function drawNext(card: Card): Promise<Buffer> {
    if (closed) throw new Error('The drawing process is stopped.');
    clearTimeout(idle);
    try {
      const own = await ready();
      own.drawn += 1;
      return await ask(own, card);
    } finally {
      idle = setTimeout(() => void dismiss(), idleMs).unref();
    }
  }

  function queue(key: string, card: Card): Promise<Buffer> {
    const mine = last.then(() => drawNext(card)).finally(() => shared.delete(key));
    last = mine.catch(() => undefined);
    shared.set(key, mine);
    return mine;
  }

  return {
    draw: async (card, waitingMax = Infinity) => {
      const key = cardKey(card);
      const other = shared.get(key);
      if (other !== undefined) return other;
      return shared.size > waitingMax ? undefined : queue(key, card);
    },
    running: () => artist?.child.pid,
    [Symbol.asyncDispose]: async () => {
      closed = true;
      clearTimeout(idle);
      await dismiss();
    },
  };
}
