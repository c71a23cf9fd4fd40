// Discards what a connection sends after the last request that is answered, without parsing it.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A connection that goes on sending for longer is cut off. */
const discardBytes = 4 * 1024 * 1024;
/** Returned to Node's parser, it means: the bytes behind this message are another protocol. */
const endOfParsing = 2;

type Message = IncomingMessage & { upgrade: boolean };

/** The parser that Node gives to a socket. */
interface Parsed {
  readonly parser?: { onIncoming: (message: Message) => number } | null;
}

/** Takes the socket from its parser. The bytes are thrown away up to the bound. */
function discard(socket: Socket): void {
  const listeners = socket.listeners('data') as ((piece: Buffer) => void)[];
  for (const parse of listeners) socket.off('data', parse);
  let left = discardBytes;
  socket.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) socket.destroy();
  });
}

/**
 * Ends the parsing of requests, in the middle of the piece that is being parsed too: a read brings up to
 * 3,600 of them, and each costs as much as one that is answered. Their bytes are still read, because bytes
 * that nobody reads make the kernel reset the connection, and the client loses answers.
 */
export function discardUnparsed(socket: Socket): void {
  const { parser } = socket as Socket & Parsed;
  if (parser) {
    parser.onIncoming = (message) => {
      message.upgrade = false;
      return endOfParsing;
    };
  }
  // Once it is taken from its parser, Node no longer starts reading from a socket that was paused.
  const whenReading = () => {
    if (socket.isPaused()) return;
    socket.off('resume', whenReading);
    discard(socket);
  };
  socket.on('resume', whenReading);
  socket.resume();
}
