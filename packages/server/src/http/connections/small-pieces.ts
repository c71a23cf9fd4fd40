// Stops parsing a chunked body that comes in too many pieces, whether or not anything reads it yet.
import type { IncomingMessage } from 'node:http';
import { countPieces } from '../input/pieces.ts';
import { discardUnparsed } from './unparsed.ts';

/** The refusal may come later than these bytes: a client that sends them at once must not be reset before. */
const discardBytes = 16 * 1024 * 1024;

/**
 * Counts the pieces of a chunked body while they are parsed. A body that waits for its turn, or for its caller to be
 * looked up, is read by nobody, and one read of the socket contains 10,900 chunks of a byte: each would be kept. The
 * first piece too many is still passed on, so that the reader of the body refuses it. The bytes after it are
 * discarded. Other bodies have a piece for each read of the socket.
 */
export function limitPieces(message: IncomingMessage): void {
  if (message.headers['transfer-encoding'] === undefined) return;
  const isFit = countPieces();
  const push = message.push.bind(message);
  let isOver = false;
  message.push = (piece: Buffer | null, encoding?: BufferEncoding) => {
    if (isOver) return true;
    isOver = piece !== null && !isFit(piece.length);
    if (isOver) discardUnparsed(message.socket, discardBytes);
    return push(piece, encoding);
  };
}
