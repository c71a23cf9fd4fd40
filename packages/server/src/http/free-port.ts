// A port that nobody listens on.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Finds a free port, for PORT=0: everything is built on the base URL, so it is known before listening. */
export async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
