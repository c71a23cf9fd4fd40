// Bytes of a store that hangs: their reader gets an error, instead of waiting for ever.
import { Readable } from 'node:stream';

/** Milliseconds without data after which a store counts as unavailable. */
export const usualSilenceMs = 15_000;

/**
 * Returns the same bytes, which end with an error when the store sends nothing for so long. Only time in which the
 * reader waits counts: one that is slow, or has a break, loses nothing.
 */
export function unlessSilent(body: Readable, silenceMs: number): Readable {
  let clock: NodeJS.Timeout | undefined;
  const disarm = () => {
    clearTimeout(clock);
    clock = undefined;
  };
  const late = (asked: NodeJS.Timeout | undefined) => {
    if (asked === undefined || asked !== clock) return;
    bytes.destroy(new Error(`The store sent nothing for ${silenceMs} ms.`));
  };
  const arm = () => {
    // After this process was suspended, what has arrived is read before the immediate.
    const own = setTimeout(() => setImmediate(() => late(own)), silenceMs);
    clock = own;
  };
  const bytes = new Readable({
    // The body has a buffer already.
    highWaterMark: 1,
    read: () => {
      if (clock === undefined) arm();
      body.resume();
    },
    destroy: (error, done) => {
      disarm();
      body.destroy();
      done(error);
    },
  });
  // A listener for data would start a body that is not paused.
  body.pause();
  body.on('data', (chunk) => {
    disarm();
    if (bytes.push(chunk)) arm();
    else body.pause();
  });
  body.once('end', () => {
    disarm();
    bytes.push(null);
  });
  body.on('error', (error) => bytes.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) bytes.destroy(new Error('The store ended the bytes too early.'));
  });
  return bytes;
}
