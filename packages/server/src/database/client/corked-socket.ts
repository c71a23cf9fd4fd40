// A database socket that sends writes of the same tick, or of the same turn of the event loop, together.
import { Socket } from 'node:net';

/** So many writes are sent without waiting for more: the database begins while this process still works. */
const gatheredMax = 16;

function socketMaker(later: (send: () => void) => void): () => Socket {
  return () => {
    const socket = new Socket();
    const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
    let gathered = 0;
    const send = () => {
      if (gathered === 0) return;
      gathered = 0;
      socket.uncork();
    };
    const gather = (...given: unknown[]): boolean => {
      if (gathered === 0) {
        socket.cork();
        later(send);
      }
      gathered += 1;
      const isTaken = write(...given);
      if (gathered >= gatheredMax) send();
      return isTaken;
    };
    // Not earlier: `connect` sets `write` back to that of the class.
    socket.once('connect', () => {
      socket.write = gather as Socket['write'];
    });
    return socket;
  };
}

/**
 * Opens a socket that joins the writes of one tick. The driver writes each statement separately, which costs
 * a system call here and a wake-up in the server. Statements sent without awaiting each other, such as the
 * last ones of a transaction and its commit, are sent together.
 */
export const corkedSocket = socketMaker((send) => process.nextTick(send));

/**
 * Opens a socket that joins the writes of one turn of the event loop, for a connection that many requests share:
 * those that arrived together are sent together. A turn that has no other work ends at once.
 */
export const sharedSocket = socketMaker((send) => setImmediate(send));
