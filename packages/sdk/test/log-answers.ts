// A server that answers requests for files of a log from a list, after faults in their order.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Answers extends AsyncDisposable {
  readonly url: string;
  /** How many requests there were. */
  count(): number;
}

/** Serves texts by their path below `/log/`. The first requests get the faults: a status, or a cut connection. */
export async function serveScript(
  texts: Readonly<Record<string, string>>,
  faults: readonly ('cut' | number)[] = [],
): Promise<Answers> {
  let count = 0;
  const server = createServer((request, response) => {
    const fault = faults[count];
    count += 1;
    if (fault === 'cut') return void request.socket.destroy();
    const text = texts[(request.url ?? '').replace('/log/', '')];
    response.writeHead(fault ?? (text === undefined ? 404 : 200)).end(fault ? '' : text);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/log`,
    count: () => count,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
