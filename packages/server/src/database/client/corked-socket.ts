// A database socket that sends writes of the same tick together.
import { Socket } from 'node:net';

/**
 * Opens a socket that joins the writes of one tick. The driver writes each statement separately, which costs
 * a system call here and a wake-up in the server. Statements sent without awaiting each other, such as the
 * last ones of a transaction and its commit, are sent together.
 */
export function corkedSocket(): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let gathering = false;
  const gather = (...given: unknown[]): boolean => {
    if (!gathering) {
      gathering = true;
      socket.cork();
      process.nextTick(() => {
        gathering = false;
        socket.uncork();
      });
    }
    return write(...given);
  };
  // Not earlier: `connect` sets `write` back to that of the class.
  socket.once('connect', () => {
    socket.write = gather as Socket['write'];
  });
  return socket;
}
