// A proxy between the program and the real service that injects faults, by plan or at random.
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** Sends the request to the service. */
  readonly forward: () => Promise<Answer>;
}

/** Answers a request in place of the plain relay. */
export type Fault = (exchange: Exchange) => void | Promise<void>;

/** Returns the fault of a request; undefined relays it. */
export type Plan = (method: string, path: string) => Fault | undefined;

export interface FaultyProxy extends AsyncDisposable {
  readonly baseUrl: string;
  /** The number of faults so far. */
  readonly injected: () => number;
  plan(plan: Plan): void;
}

function problem(name: string, status: number, wait: number): Fault {
  return ({ response }) => {
    const type = `https://example.org/errors/${name}`;
    const body = { type, title: name, status, retry_after_seconds: wait };
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify(body));
  };
}

const drop: Fault = ({ response }) => {
  response.socket?.destroy();
};

const afterwards =
  (answer: (exchange: Exchange, body: Answer) => void | Promise<void>): Fault =>
  async (exchange) =>
    answer(exchange, await exchange.forward());

/** Headers with a length of the body that may be wrong. */
function head({ headers }: Answer, length: number) {
  const { 'transfer-encoding': _, connection: __, 'content-length': ___, ...rest } = headers;
  return { ...rest, 'content-length': String(length) };
}

/** Every way in which an exchange can go wrong. */
export const faults: Readonly<Record<string, Fault>> = {
  'a reset before the request arrives': drop,
  'a reset after its effect': afterwards((exchange) => drop(exchange)),
  'a limit': problem('rate-limited', 429, 0),
  'an overload': problem('unavailable', 503, 0),
  'a gateway that gives up after the effect': afterwards(({ response }) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
  }),
  'half a response': afterwards(({ response }, answer) => {
    response.writeHead(answer.status, head(answer, answer.body.length));
    response.write(answer.body.subarray(0, answer.body.length >> 1), () =>
      response.socket?.destroy(),
    );
  }),
  'a length that is too large': afterwards(({ response }, answer) => {
    response.socket?.end(rawOf(answer, answer.body.length + 10));
  }),
  'a length that is too small': afterwards(({ response }, answer) => {
    response.socket?.end(rawOf(answer, answer.body.length >> 1));
  }),
  'a slow response': afterwards(async ({ response }, answer) => {
    response.writeHead(answer.status, head(answer, answer.body.length));
    response.write(answer.body.subarray(0, 10));
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    response.end(answer.body.subarray(10));
  }),
  'a response that never ends': afterwards(({ response }, answer) => {
    response.writeHead(answer.status, head(answer, answer.body.length + 1));
    response.write(answer.body);
  }),
};

/** The bytes of a response, because Node.js refuses to write a wrong length. */
function rawOf(answer: Answer, length: number): Buffer {
  const lines = Object.entries(head(answer, length)).map(
    ([name, value]) => `${name}: ${String(value)}\r\n`,
  );
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${answer.status} x\r\n${lines.join('')}\r\n`),
    answer.body,
  ]);
}

/** A plan that cuts the connection once, after the effect of the request. */
export function cutAfter(method: string, path: string): Plan {
  let isDone = false;
  return (asked, at) => {
    if (isDone || asked !== method || at.split('?')[0] !== path) return undefined;
    isDone = true;
    return faults['a reset after its effect'];
  };
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function sender(target: string, { method, url, headers }: IncomingMessage, body: Buffer) {
  return () =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(
        new URL(url ?? '/', target),
        { method, headers, agent: false },
        (answer) => {
          bytesOf(answer).then(
            (bytes) =>
              resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }),
            reject,
          );
        },
      );
      sent.on('error', reject).end(body);
    });
}

const relay: Fault = afterwards(({ response }, answer) => {
  response.writeHead(answer.status, head(answer, answer.body.length)).end(answer.body);
});

/** Starts a proxy of the service. Without a plan it relays everything. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let current: Plan = () => undefined;
  let injected = 0;
  const server = createServer((incoming, response) => {
    void bytesOf(incoming)
      .then(async (body) => {
        const fault = current(incoming.method ?? '', incoming.url ?? '');
        if (fault !== undefined) injected += 1;
        await (fault ?? relay)({ incoming, response, forward: sender(target, incoming, body) });
      })
      .catch(() => response.socket?.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    injected: () => injected,
    plan: (plan) => {
      current = plan;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
