// A port that nobody listens on.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * Finds a free port, for PORT=0: everything is built on the base URL, so it is known before listening.
 * @throws Error with a sentence for the operator, where the machine has no such address
 */
export async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    const refuse = (cause: Error) => {
      const sentence = `HOST is ${JSON.stringify(host)}, where this machine cannot listen (${cause.message}): set it to an address of this machine.`;
      reject(new Error(sentence, { cause }));
    };
    server.once('error', refuse).listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
