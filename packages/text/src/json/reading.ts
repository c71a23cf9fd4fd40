// Reads JSON bodies: short ones on the event loop, long ones in a worker thread.
import type { JsonLimits } from './finding.ts';
import { readJson } from './read-json.ts';
import type { JsonTask, ReadJson } from './read-json.ts';
import { openThreads } from '../threads.ts';
import type { Failure, Requester } from '../threads.ts';

export type { ReadJson } from './read-json.ts';

export interface JsonReading extends AsyncDisposable {
  /** Returns the value of a JSON text, or its fault, or the reason why it was not read. */
  readJson(bytes: Buffer, limits: JsonLimits, requester: Requester): Promise<ReadJson | Failure>;
}

/**
 * Bodies of at most this many bytes are read on the event loop: 3 ms at most. Nearly every body is shorter.
 */
const shortMax = 32 * 1024;

/** Opens the JSON reading. No thread starts until the first long body. */
export function openJsonReading(onError: (error: Error) => void): JsonReading {
  const options = {
    file: new URL('read-json.ts', import.meta.url),
    threads: 1,
    memoryMb: 256,
    deadlineMs: 10_000,
    idleMs: 60_000,
    waiting: 128,
    waitingEach: 32,
  };
  const threads = openThreads<JsonTask, ReadJson>(options, onError);
  return {
    readJson: async (bytes, limits, requester) => {
      if (bytes.length <= shortMax) return readJson(bytes, limits);
      const { result, failure } = await threads.run({ bytes, limits }, requester);
      return failure ?? result;
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
