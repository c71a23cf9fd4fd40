// Bytes of a store that hangs: their reader gets an error instead of waiting without end.
import { Readable } from 'node:stream';

/** Milliseconds without data after which a store counts as unavailable. */
export const usualSilenceMs = 15_000;

/** The code of a disk that fails makes the failure one that clients retry, whatever the store is. */
function brokenOff(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: 'EIO' });
}

/**
 * Returns the same bytes, which end with an error when the store sends nothing for so long. Only the time in which
 * the reader waits for bytes counts, so that a slow reader loses nothing, and nothing is read ahead for it.
 */
export function failWhenSilent(body: Readable, silenceMs: number): Readable {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  // The next read gets an error that comes while nobody reads; without a listener it would end the process.
  body.on('error', () => undefined);

  async function pushNext(): Promise<void> {
    let waits = true;
    const fail = () => {
      if (waits) bytes.destroy(brokenOff(`The store sent nothing for ${silenceMs} ms.`));
    };
    // After this process was suspended, what has arrived is read before the immediate.
    const clock = setTimeout(() => setImmediate(fail), silenceMs);
    try {
      const next = await chunks.next();
      bytes.push(next.done === true ? null : next.value);
    } catch (cause) {
      bytes.destroy(brokenOff('The store ended the bytes too early.', cause));
    } finally {
      waits = false;
      clearTimeout(clock);
    }
  }

  const bytes = new Readable({
    // The body has a buffer already.
    highWaterMark: 0,
    read: () => void pushNext(),
    destroy: (error, done) => {
      body.destroy();
      done(error);
    },
  });
  bytes.on('error', () => undefined);
  return bytes;
}
