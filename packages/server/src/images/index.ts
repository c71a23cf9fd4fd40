// Image variants, made in a separate process for each image, so that a crash ends only that process.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { limitProcessor } from '#runtime';
import type { Confinement, ProcessorLimits } from '#runtime';
import { framesOf, undecodable } from './frames.ts';
import type { Frame } from './frames.ts';

export interface ImageWork extends AsyncDisposable {
  /**
   * Returns the image as WebP in each of the widths, never enlarged and without metadata.
   * Returns undefined when the image cannot be decoded, or not within the limits of work and memory.
   * @throws Error when the time was not enough because of the store or the machine, or the work has ended
   */
  makeVariants(
    original: Readable,
    widths: readonly number[],
  ): Promise<readonly Frame[] | undefined>;
}

/** The maximum number of images in work at once. */
const atOnce = 2;
/** The second limit is for a store that is slow to send the image, and for a machine that is busy otherwise. */
const usualLimits: ProcessorLimits = { workMs: 30_000, longestMs: 180_000 };
/** More than all variants of the largest image. */
const outputBytesMax = 64 * 1024 * 1024;
const program = fileURLToPath(new URL('make-variants.mjs', import.meta.url));

function start(widths: readonly number[], before: readonly string[]): ChildProcess {
  const [file, ...words] = [...before, process.execPath];
  const child = spawn(
    file,
    [...words, '--max-old-space-size=192', program, ...[undecodable, ...widths].map(String)],
    {
      // The environment of the server is not passed on: it contains settings and keys of stores and
      // databases.
      env: { VIPS_CONCURRENCY: '1', MALLOC_ARENA_MAX: '2' },
      // The channel carries no messages. It closes when this process ends, for whatever reason.
      stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
      cwd: '/',
    },
  );
  // `run` reports the first error and the exit. Later errors are ignored.
  child.on('error', () => undefined);
  if (child.pid !== undefined) setPriority(child.pid, 10);
  return child;
}

async function collect(output: Readable, tooMuch: () => void): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of output as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > outputBytesMax) tooMuch();
    else parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * @throws Error when the image was not read or decoded for another reason than the image itself: another attempt may
 * succeed
 */
async function run(
  child: ChildProcess,
  original: Readable,
  limits: ProcessorLimits,
): Promise<readonly Frame[] | undefined> {
  const { stdin, stdout } = child as Pick<Partial<ChildProcess>, 'stdin' | 'stdout'>;
  // Without a descriptor left, it has none.
  if (!stdin || !stdout) throw new Error('The image process has no pipes.');
  const kill = () => void child.kill('SIGKILL');
  const watch = limitProcessor(child, limits);
  try {
    const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    let broken: Error | undefined;
    const fed = pipeline(original, stdin).catch((error: NodeJS.ErrnoException) => {
      // The program may reject an image before it has read all of it.
      if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
      broken = error;
      kill();
    });
    const [[code, signal], bytes] = await Promise.all([ended, collect(stdout, kill), fed]);
    if (broken !== undefined) throw broken;
    if (code === 0) return framesOf(bytes);
    if (watch.excess() === 'time') throw new Error('The image was not decoded in time.');
    // A signal means that it took too much work, that a decoder crashed, or that memory ran out.
    if (code === undecodable || signal !== null) return undefined;
    throw new Error(`The image process ended with ${code}.`);
  } finally {
    watch.stop();
  }
}

/**
 * Opens the image work. No process starts until the first image. `confine` returns how to start the program
 * with fewer rights; it is called once, before the first image.
 */
export function openImageWork(
  confine: (program: string) => Promise<Pick<Confinement, 'words'>> = async () => ({ words: [] }),
  limits = usualLimits,
): ImageWork {
  let before: Promise<Pick<Confinement, 'words'>> | undefined;
  let closed = false;
  const running = new Set<ChildProcess>();
  const waiting: (() => void)[] = [];

  async function place(): Promise<void> {
    if (running.size + 1 > atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  }

  return {
    makeVariants: async (original, widths) => {
      before ??= confine(program);
      const { words } = await before;
      await place();
      const child = start(widths, words);
      running.add(child);
      if (closed) child.kill('SIGKILL');
      try {
        const frames = await run(child, original, limits);
        // Its process was ended here, which says nothing of the image.
        if (closed && frames === undefined) throw new Error('The image work has ended.');
        return frames;
      } finally {
        running.delete(child);
        waiting.shift()?.();
      }
    },
    [Symbol.asyncDispose]: async () => {
      closed = true;
      for (const child of running) child.kill('SIGKILL');
    },
  };
}
