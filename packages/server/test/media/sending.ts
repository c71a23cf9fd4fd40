// An upload written by hand, piece by piece, so that it can be slow, break off, or never end.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Human, TestServer } from '../harness.ts';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export interface Sending {
  /** Answers once the bytes have left this process. */
  write(bytes: Buffer | string): Promise<void>;
  /** The whole of what the server says until it, or `end`, ends the connection. */
  answer(): Promise<RawAnswer>;
  /** What the server said so far. */
  heard(): string;
  breakOff(): void;
  readonly closed: Promise<unknown>;
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') };
}

/** Opens a connection and sends these headers. */
export async function sendHead(server: TestServer, lines: readonly string[]): Promise<Sending> {
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
  await once(socket, 'connect');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => (heard += text));
  socket.on('error', () => undefined);
  const write = (bytes: Buffer | string) =>
    new Promise<void>((resolve) => {
      socket.write(bytes, () => resolve());
    });
  await write([...lines, '', ''].join('\r\n'));
  return {
    write,
    closed,
    heard: () => heard,
    breakOff: () => socket.resetAndDestroy(),
    answer: async () => {
      await closed;
      return parseAnswer(heard);
    },
  };
}

/** Announces an upload of so many bytes; the connection ends after the answer. */
export function sendUpload(
  server: TestServer,
  human: Pick<Human, 'token'>,
  id: string,
  length: number,
): Promise<Sending> {
  return sendHead(server, [
    `PUT /v1/media/${id}/content HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${human.token}`,
    'Content-Type: application/octet-stream',
    `Content-Length: ${length}`,
    'Connection: close',
  ]);
}
