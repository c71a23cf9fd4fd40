// Discards an unread request body: the answer is sent first, then a limited rest is read and dropped.
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { awaitsContinue } from './input/expect.ts';

const discardBytes = 64 * 1024 * 1024;
const discardSeconds = 30;
/** Node itself drains a rest this small on a connection that stays open. */
const smallBytes = 65_536;

/**
 * Closes only our direction of the connection first, as RFC 9112 section 9.6 requires, and the other when the
 * rest has arrived. After an answer with `Connection: close`, Node would close both at once, with bytes
 * unread.
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

/** Whether a body was announced and has not arrived completely. */
function hasRest({ headers, complete, readableEnded, destroyed }: IncomingMessage): boolean {
  if (complete || readableEnded || destroyed) return false;
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) !== 0;
}

/** Messages whose rest is being discarded: an answer that fails while it is sent is followed by another. */
const discarding = new WeakSet<IncomingMessage>();

/**
 * Sends the answer with `Connection: close`, discards at most 64 MiB or 30 s of the body, then closes the
 * connection. Closing a connection with unread bytes makes the kernel reset it, and the client loses the
 * answer (nodejs/node 54366, 38467, 9085).
 */
export function drainRequestBody(request: FastifyRequest, reply: FastifyReply): void {
  const message = request.raw;
  if (!hasRest(message) || discarding.has(message)) return;
  const declared = Number(message.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  discarding.add(message);
  // A client that got no 100 Continue may omit the body, so the next bytes could be a body or a request.
  if (declared > smallBytes || awaitsContinue(message)) {
    void reply.header('connection', 'close');
    lingerUntilRead(message);
  }
  let left = discardBytes;
  const stop = () => message.socket.destroy();
  const timer = setTimeout(stop, discardSeconds * 1000).unref();
  message.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) stop();
  });
  message.on('close', () => clearTimeout(timer));
  message.resume();
}
