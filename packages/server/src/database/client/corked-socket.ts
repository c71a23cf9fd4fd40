// A socket to the database that sends at once what is written in one go.
import { Socket } from 'node:net';

/**
 * The driver writes each statement by itself: a system call here and a wake-up there. Statements that are
 * sent without waiting for each other, such as the last ones of a transaction and its commit, leave together.
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
  socket.write = gather as Socket['write'];
  return socket;
}
