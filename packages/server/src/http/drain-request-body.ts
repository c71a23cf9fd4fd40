// A body that nobody will read: the client gets its answer first, then a bounded rest is thrown away.
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { awaitsContinue } from './input/expect.ts';
import { countPieces } from './input/pieces.ts';

const discardBytes = 64 * 1024 * 1024;
const discardSeconds = 30;
/** A rest this small is drained by Node on a connection that stays. */
const smallBytes = 65_536;

/**
 * After an answer with `Connection: close` Node closes both directions at once, with bytes unread. Here only
 * our own is closed then, as RFC 9112 section 9.6 asks, and the other when the rest has come.
 */
function lingerUntilRead(message: IncomingMessage): void {
  const { socket } = message;
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    socket.end();
  };
  message.once('end', () => {
    socket.destroySoon = close;
    if (socket.writableEnded) close();
  });
}

/** Whether a body was announced and has not come whole. */
function hasRest({ headers, complete, readableEnded, destroyed }: IncomingMessage): boolean {
  if (complete || readableEnded || destroyed) return false;
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) !== 0;
}

/** Messages whose rest is being thrown away: an answer that fails while it is sent is followed by another. */
const discarding = new WeakSet<IncomingMessage>();

/**
 * Closing a connection with unread bytes makes the kernel reset it, and the client loses the answer
 * (nodejs/node 54366, 38467, 9085): so the answer goes out with `Connection: close`, at most 64 MiB or
 * 30 s are discarded, then the connection ends.
 */
export function drainRequestBody(request: FastifyRequest, reply: FastifyReply): void {
  const message = request.raw;
  if (!hasRest(message) || discarding.has(message)) return;
  const declared = Number(message.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  discarding.add(message);
  // Who was not asked for the body may leave it out, so that what comes next could be either.
  if (declared > smallBytes || awaitsContinue(message)) {
    void reply.header('connection', 'close');
    lingerUntilRead(message);
  }
  let left = discardBytes;
  const pieces = countPieces();
  const stop = () => message.socket.destroy();
  const timer = setTimeout(stop, discardSeconds * 1000).unref();
  message.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0 || !pieces(chunk.length)) stop();
  });
  message.on('close', () => clearTimeout(timer));
  message.resume();
}
