// A proxy in front of an S3 server that answers errors, resets connections, takes its time or stalls.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * `stall`: the first bytes of a download pass, and nothing comes after them. `keep`: requests to delete are kept
 * without an answer.
 */
type Fault = 'SlowDown' | 'InternalError' | 'reset' | 'slow' | 'stall' | 'keep';

/** The requests that a fault meets, where it does not meet all. */
const methods: Readonly<Partial<Record<Fault, string>>> = { stall: 'GET', keep: 'DELETE' };

export interface FaultyGateway extends AsyncDisposable {
  readonly endpoint: string;
  /** What happens to requests from now on; undefined: they pass. */
  fault: Fault | undefined;
  /** Requests that a fault met. */
  met: number;
  /** Requests that are kept now. */
  kept: number;
}

/** How long a slow one waits before it passes a request on. */
const slowMs = 400;

function xml(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Planted.</Message></Error>`;
}

/** Passes an answer on, or no more than its first bytes. */
function answerWith(message: IncomingMessage, answer: ServerResponse, stalls: boolean): void {
  answer.writeHead(message.statusCode ?? 502, message.headers);
  if (!stalls) return void message.pipe(answer);
  message.once('data', (bytes: Buffer) => {
    message.pause();
    answer.write(bytes.subarray(0, bytes.length / 2));
  });
  answer.once('close', () => message.destroy());
}

function pass(target: URL, asked: IncomingMessage, answer: ServerResponse, stalls = false): void {
  const { hostname, port } = target;
  const { method, url, headers } = asked;
  const onward = request({ hostname, port, method, path: url, headers }, (message) => {
    answerWith(message, answer, stalls);
  });
  onward.on('error', () => answer.destroy());
  asked.on('error', () => onward.destroy()).pipe(onward);
}

/** Starts the proxy on this machine. The signature of a request covers its `Host`, which is passed on unchanged. */
export async function startFaultyGateway(target: string): Promise<FaultyGateway> {
  async function handle(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { fault } = gateway;
    const { method = '' } = asked;
    if (fault === undefined || (methods[fault] ?? method) !== method)
      return pass(new URL(target), asked, answer);
    gateway.met += 1;
    if (fault === 'keep') {
      gateway.kept += 1;
      return void answer.once('close', () => (gateway.kept -= 1));
    }
    if (fault === 'stall') return pass(new URL(target), asked, answer, true);
    if (fault === 'reset') return void asked.socket.resetAndDestroy();
    if (fault === 'slow') {
      await wait(slowMs);
      return pass(new URL(target), asked, answer);
    }
    asked.resume();
    const status = fault === 'SlowDown' ? 503 : 500;
    answer.writeHead(status, { 'content-type': 'application/xml' }).end(xml(fault));
  }

  const server = createServer((asked, answer) => void handle(asked, answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gateway: FaultyGateway = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: undefined,
    met: 0,
    kept: 0,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return gateway;
}
