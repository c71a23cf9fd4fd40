// A thread for the texts of strangers: it runs out of its own memory, and not out of that of the process.
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

const resourceLimits = { maxOldGenerationSizeMb: 512 };

/**
 * Starts a thread. V8's own sizes of a heap, such as those in NODE_OPTIONS, would replace its limit: they are taken back.
 * The main thread keeps what it has started with.
 */
export function startLimitedWorker(program: URL, workerData?: unknown): Worker {
  for (const flag of ['max-old-space-size', 'max-heap-size']) setFlagsFromString(`--${flag}=0`);
  return new Worker(program, { workerData, resourceLimits });
}
