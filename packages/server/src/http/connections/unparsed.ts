// Discards, without parsing, what a connection sends after the last request that is answered.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A connection that sends more than this is closed. */
const discardBytes = 4 * 1024 * 1024;
/** Returned to Node's parser, it means that the bytes after this message belong to another protocol. */
const endOfParsing = 2;

type Message = IncomingMessage & { upgrade: boolean };

/** The parser that Node gives to a socket. */
interface Parsed {
  readonly parser?: { onIncoming: (message: Message) => number } | null;
}

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
export function discardUnparsed(socket: Socket, bytesMax = discardBytes): void {
  const { parser } = socket as Socket & Parsed;
  if (parser) {
    parser.onIncoming = (message) => {
      message.upgrade = false;
      return endOfParsing;
    };
  }
  if (!socket.isPaused()) {
    // One that is being read reports no resumption.
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
