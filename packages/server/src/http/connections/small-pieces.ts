// Stops parsing a chunked body that comes in too many pieces, whether or not anything reads it yet.
import { countPieces } from '../input/pieces.ts';
import type { Exchange } from './connection.ts';
import { closeInOrder, discardUnparsed } from './unparsed.ts';

/** The refusal may come later than these bytes: a client that sends them at once must not be reset before. */
const restMax = 16 * 1024 * 1024;

/**
 * Counts the pieces of a chunked body while they are parsed. A body that waits for its turn, or for its caller to be
 * looked up, is read by nobody, and one read of the socket contains 10,900 chunks of a byte: each would be kept. The
 * first piece too many is still passed on, so that the reader of the body refuses it. The bytes after it are
 * discarded, and the connection ends with the response. Other bodies have a piece for each read of the socket.
 */
export function limitPieces({ request, response }: Exchange): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const isFit = countPieces();
  const push = request.push.bind(request);
  let isOver = false;
  request.push = (piece: Buffer | null, encoding?: BufferEncoding) => {
    // The end of the body is passed on: it may be in the same read.
    if (piece === null) return push(null);
    if (isOver) return true;
    if (!isFit(piece.length)) {
      isOver = true;
      closeInOrder(request.socket, response);
      discardUnparsed(request.socket, restMax);
    }
    return push(piece, encoding);
  };
}
