// A proxy before the service that breaks connections, and keeps what went through it.
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Before its effect, after it, or in the middle of its answer. */
export type Fault = 'before' | 'after' | 'half' | undefined;

export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Bodies of problems as they went through. */
  readonly problems: readonly string[];
  /** Idempotency keys of writes, one for each request. */
  readonly keys: readonly string[];
}

/** Answers as the service did, or a part of it. */
function answer(
  fault: Fault,
  from: IncomingMessage,
  to: ServerResponse,
  keep: (problem: string) => void,
): void {
  const parts: Buffer[] = [];
  from.on('data', (part: Buffer) => parts.push(part));
  from.on('end', () => {
    const body = Buffer.concat(parts);
    if (from.headers['content-type']?.includes('problem')) keep(body.toString());
    if (fault === 'after') {
      to.socket?.destroy();
      return;
    }
    to.writeHead(from.statusCode ?? 500, from.headers);
    if (fault === 'half') to.write(body.subarray(0, body.length >> 1), () => to.socket?.destroy());
    else to.end(body);
  });
}

/** Forwards to `target`. `faultOf` says what happens to a write, by its number from 1. */
export async function startProxy(
  target: string,
  faultOf: (count: number) => Fault = () => undefined,
): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const [problems, keys]: [string[], string[]] = [[], []];
  let writes = 0;
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const isWrite = method !== 'GET';
    if (isWrite) writes += 1;
    const fault = isWrite ? faultOf(writes) : undefined;
    const key = headers['idempotency-key'];
    if (typeof key === 'string') keys.push(key);
    if (fault === 'before') {
      incoming.socket.destroy();
      return;
    }
    const forwarded = httpRequest({ hostname, port, method, path, headers }, (from) =>
      answer(fault, from, outgoing, (problem) => problems.push(problem)),
    );
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    problems,
    keys,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
