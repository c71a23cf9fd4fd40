// Finds a TCP port that is not in use.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * Listens on the port briefly (0: any) and returns it; undefined if another program uses it on this address.
 */
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

/** Below the ports that systems give to outgoing connections, which start at 32,768 or later. */
const choice = { from: 20_000, to: 32_000 } as const;
const triesOfChoice = 100;

/**
 * Finds a free port, for PORT=0. The port must be known before listening because everything is built on the
 * base URL. It is also free on `alsoHost`, if the machine has that address. It is chosen at random where no outgoing
 * connection can take it before the caller listens: a port of the system's choice was taken so under load.
 * @throws Error with a message for the operator: the machine does not have the address
 */
export async function freePort(host: string, alsoHost?: string): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const candidate = tries < triesOfChoice ? randomInt(choice.from, choice.to) : 0;
    const port = await tryPort(host, candidate).catch((cause: Error) => {
      const sentence = `HOST is ${JSON.stringify(host)}, where this machine cannot listen (${cause.message}): set it to an address of this machine.`;
      throw new Error(sentence, { cause });
    });
    if (port === undefined) continue;
    if (alsoHost === undefined) return port;
    // On a machine without IPv6 the port is free on ::1 too.
    if ((await tryPort(alsoHost, port).catch(() => port)) !== undefined) return port;
  }
}
