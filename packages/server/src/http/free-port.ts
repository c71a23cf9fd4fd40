// A port that nobody listens on.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The port taken for a moment, 0 for any; undefined where another program has it on this address. */
async function tryPort(host: string, port: number): Promise<number | undefined> {
  const server = createServer();
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve).listen(port, host, () => resolve(undefined));
  });
  if (error?.code === 'EADDRINUSE') return undefined;
  if (error !== undefined) throw error;
  const { port: taken } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return taken;
}

/**
 * Finds a free port, for PORT=0: everything is built on the base URL, so it is known before listening. It is free on
 * `alsoHost` too, where the machine has that address.
 * @throws Error with a sentence for the operator, where the machine has no such address
 */
export async function freePort(host: string, alsoHost?: string): Promise<number> {
  for (;;) {
    const port = await tryPort(host, 0).catch((cause: Error) => {
      const sentence = `HOST is ${JSON.stringify(host)}, where this machine cannot listen (${cause.message}): set it to an address of this machine.`;
      throw new Error(sentence, { cause });
    });
    if (port === undefined) continue;
    if (alsoHost === undefined) return port;
    // A machine without IPv6 has nobody on ::1 either.
    if ((await tryPort(alsoHost, port).catch(() => port)) !== undefined) return port;
  }
}
