// Discards, without parsing, what a connection sends after the last request that is answered, or the rest of a body
// that is refused.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection that sends more behind the last request that is answered is closed. */
const behindRequestsMax = 4 * 1024 * 1024;
const lingerMs = 30_000;
/** Returned to Node's parser, it means that the bytes after this message belong to another protocol. */
const endOfParsing = 2;

type Message = IncomingMessage & { upgrade: boolean };

/** The parser that Node gives to a socket. */
interface Parsed {
  readonly parser?: { onIncoming: (message: Message) => number } | null;
  readonly _handle?: { readonly reading?: boolean } | null;
}

/** Sockets whose bytes are discarded. */
const discarding = new WeakSet<Socket>();

/** Detaches the socket from its parser. Further bytes are discarded up to the limit. */
function discard(socket: Socket, bytesMax: number): void {
  const listeners = socket.listeners('data') as ((piece: Buffer) => void)[];
  for (const parse of listeners) socket.off('data', parse);
  let left = bytesMax;
  socket.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) socket.destroy();
  });
}

/**
 * Stops parsing, even in the middle of the current chunk: one read contains up to 3,600 requests, and parsing one
 * costs as much as answering it. The bytes are still read, because unread bytes make the kernel reset the
 * connection, and the client loses answers.
 */
export function discardUnparsed(socket: Socket, bytesMax = behindRequestsMax): void {
  if (discarding.has(socket)) return;
  discarding.add(socket);
  const { parser, _handle: handle } = socket as Socket & Parsed;
  if (parser) {
    parser.onIncoming = (message) => {
      message.upgrade = false;
      return endOfParsing;
    };
  }
  // Nothing resumes a socket that is being read. One that was resumed in this tick is not read yet.
  if (!socket.isPaused() && handle?.reading === true) {
    discard(socket, bytesMax);
    return;
  }
  // After the socket is detached from its parser, Node no longer resumes reading if it was paused.
  const whenReading = () => {
    if (socket.isPaused()) return;
    socket.off('resume', whenReading);
    discard(socket, bytesMax);
  };
  socket.on('resume', whenReading);
  socket.resume();
}

/**
 * Closes the connection in order after the response: our direction first, and the other when the client closes it
 * (RFC 9112 section 9.6). Node closes both at once, and unread bytes would reset the connection.
 */
export function closeInOrder(socket: Socket, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
  };
}
