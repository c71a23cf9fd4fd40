// Writes the lines of the log to standard output. Its disk may be full, and its reader may be slow: neither may
// stop the service. The stream of pino would wait for both, and never end where a disk is full.
import { writeSync } from 'node:fs';

/** Bytes of lines that wait while nothing can be written. Later lines are dropped. */
const heldMax = 1024 * 1024;
const retryMs = 1_000;
/** A reader that is slow will have read something by then. */
const slowMs = 20;
/** How often the end of the process tries again for a slow reader. */
const lastTries = 50;

export interface LogOutput {
  write(line: string): void;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Names how many lines are missing, in a line like those of pino. */
function lineOfGap(dropped: number): string {
  const msg = `The log could not be written for a time: ${dropped} lines are missing. Check the disk and the reader of standard output.`;
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), dropped, msg })}\n`;
}

/** The lines that are not written yet, up to a number of bytes. */
function holdLines() {
  let rest: Uint8Array = new Uint8Array();
  let held: string[] = [];
  let heldBytes = 0;
  let dropped = 0;

  /** Returns the next bytes to write. A line of which a part was written is finished first. */
  function next(): Uint8Array {
    if (rest.length > 0) return rest;
    if (held.length === 0 && dropped > 0) {
      held.push(lineOfGap(dropped));
      dropped = 0;
    }
    rest = Buffer.from(held.join(''));
    heldBytes = rest.length;
    held = [];
    return rest;
  }

  return {
    add: (line: string) => {
      const size = Buffer.byteLength(line);
      if (heldBytes + size > heldMax) {
        dropped += 1;
        return;
      }
      held.push(line);
      heldBytes += size;
    },
    /** Writes all of them. @throws the error of the system: what is not written stays */
    writeTo: (descriptor: number) => {
      for (let bytes = next(); bytes.length > 0; bytes = next()) {
        const written = writeSync(descriptor, bytes);
        rest = bytes.subarray(written);
        heldBytes -= written;
      }
    },
  };
}

/** Opens the output. A write never throws and never waits for a reader. */
export function openLogOutput(descriptor = 1): LogOutput {
  const lines = holdLines();
  let retry: NodeJS.Timeout | undefined;
  let isWatched = false;

  function writeLast(): void {
    for (let tries = 0; tries < lastTries; tries += 1) {
      try {
        return lines.writeTo(descriptor);
      } catch (error) {
        if (codeOf(error) !== 'EAGAIN') return;
        Atomics.wait(sleeper, 0, 0, slowMs);
      }
    }
  }

  function flush(): void {
    retry = undefined;
    try {
      lines.writeTo(descriptor);
    } catch (error) {
      retry = setTimeout(flush, codeOf(error) === 'EAGAIN' ? slowMs : retryMs).unref();
      if (!isWatched) process.once('exit', writeLast);
      isWatched = true;
    }
  }

  return {
    write: (line) => {
      lines.add(line);
      if (retry === undefined) flush();
    },
  };
}

/** That of this process: two of them would mix their lines. */
export const standardOutput = openLogOutput();
