// The body of an upload: its headers are checked, and its bytes are passed on as they arrive.
import type { IncomingMessage } from 'node:http';
import { invalid, problem } from '../problem.ts';
import { sendContinue } from './expect.ts';

/** The bytes of an upload while they arrive. */
export interface ArrivingBytes {
  /** The exact number of bytes; if it differs, the chunks end with a problem. */
  readonly length: number;
  /**
   * Returns the chunks; call it once.
   * @throws invalid-request (cut off, too slow), unavailable (the server stops)
   */
  readonly chunks: () => AsyncGenerator<Buffer, void, undefined>;
}

const totalMs = 600_000;
const bytesPerSecond = 1024;
/** Reading from the connection pauses when more than this waits to be used. */
const queuedMax = 256 * 1024;

const closing = { connection: 'close' };

function tooSlow() {
  const detail =
    'The bytes arrived more slowly than 1 KiB a second, or took longer than 10 minutes. Send all of them again.';
  return problem('invalid-request', detail, {}, closing);
}

function cutOff() {
  return problem('invalid-request', 'The body ended before its Content-Length.', {}, closing);
}

function stoppingProblem() {
  const detail = 'The server is stopping and has not received all bytes. Send all of them again.';
  return problem('unavailable', detail, { retry_after_seconds: 1 }, closing);
}

/** Returns Content-Length of an upload. @throws invalid-request, payload-too-large, validation-failed */
function lengthOf(message: IncomingMessage, limit: number): number {
  const { headers } = message;
  if (headers['transfer-encoding'] !== undefined) {
    const detail = 'Chunked transfer encoding is not supported: send the exact Content-Length.';
    throw problem('invalid-request', detail, {}, closing);
  }
  if (headers['content-length'] === undefined) {
    throw problem(
      'invalid-request',
      'The header Content-Length is missing: send the exact size of the file.',
    );
  }
  const length = Number(headers['content-length']);
  if (length > limit) {
    const detail = `The body exceeds the limit of ${limit} bytes. Check the size before you send it.`;
    throw problem('payload-too-large', detail, {}, closing);
  }
  if (length === 0) {
    throw invalid([{ pointer: '', code: 'empty', detail: 'is empty: send the bytes of the file' }]);
  }
  return length;
}

/** Counts of this process since its start. */
const uploads = { running: 0, bytes: 0 };

/** Returns how many uploads are running, and how many bytes uploads have delivered since the start. */
export function uploadCounts(): Readonly<typeof uploads> {
  return uploads;
}

/** Bytes that arrived and are not used yet, and how the transfer ended. */
interface Inflow {
  readonly queue: Buffer[];
  queued: number;
  /** Bytes in the current window. */
  arrived: number;
  waiting: (() => void) | undefined;
  over: Error | 'whole' | undefined;
}

/** The limits of waiting for bytes. */
export interface Patience {
  readonly givingUp: AbortSignal;
  /**
   * While the server waits for bytes, a client that sends less than 1 KiB a second in a window is rejected.
   */
  readonly uploadWindowMs: number;
}

function listen(message: IncomingMessage, inflow: Inflow, patience: Patience): () => void {
  const { givingUp, uploadWindowMs } = patience;
  const windowBytes = (uploadWindowMs / 1000) * bytesPerSecond;
  const settle = (over: Error | 'whole') => {
    inflow.over ??= over;
    inflow.waiting?.();
  };
  const take = (chunk: Buffer) => {
    inflow.queue.push(chunk);
    inflow.queued += chunk.length;
    inflow.arrived += chunk.length;
    if (inflow.queued > queuedMax) message.pause();
    inflow.waiting?.();
  };
  const end = () => settle('whole');
  const cut = () => settle(cutOff());
  const stop = () => settle(stoppingProblem());
  // A client is too slow only while the server waits for it: a full queue is the server's own delay.
  const look = setInterval(() => {
    if (inflow.waiting !== undefined && inflow.arrived < windowBytes) settle(tooSlow());
    inflow.arrived = 0;
  }, uploadWindowMs);
  const late = setTimeout(() => settle(tooSlow()), totalMs);
  givingUp.addEventListener('abort', stop);
  message.on('data', take).on('end', end).on('close', cut).on('error', cut);
  if (message.destroyed) cut();
  if (givingUp.aborted) stop();
  return () => {
    clearInterval(look);
    clearTimeout(late);
    givingUp.removeEventListener('abort', stop);
    // The error listener stays: a connection that breaks later must not end the process.
    message.off('data', take).off('end', end).off('close', cut);
  };
}

async function* chunksOf(
  message: IncomingMessage,
  patience: Patience,
): AsyncGenerator<Buffer, void, undefined> {
  sendContinue(message);
  const inflow: Inflow = { queue: [], queued: 0, arrived: 0, waiting: undefined, over: undefined };
  const leave = listen(message, inflow, patience);
  uploads.running += 1;
  try {
    for (;;) {
      for (let chunk = inflow.queue.shift(); chunk !== undefined; chunk = inflow.queue.shift()) {
        inflow.queued -= chunk.length;
        uploads.bytes += chunk.length;
        yield chunk;
      }
      if (inflow.over === 'whole') return;
      if (inflow.over !== undefined) throw inflow.over;
      message.resume();
      await new Promise<void>((resolve) => {
        inflow.waiting = resolve;
      });
      inflow.waiting = undefined;
    }
  } finally {
    uploads.running -= 1;
    leave();
  }
}

/**
 * Returns the upload that a message announces. Nothing of its body has been read yet.
 * @throws invalid-request (no Content-Length, chunked), payload-too-large, validation-failed (empty)
 */
export function acceptUpload(
  message: IncomingMessage,
  limit: number,
  patience: Patience,
): ArrivingBytes {
  return { length: lengthOf(message, limit), chunks: () => chunksOf(message, patience) };
}
