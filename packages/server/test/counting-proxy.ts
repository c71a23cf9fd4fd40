// A proxy between the server and PostgreSQL's socket: delays both directions and counts round trips.
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * In each direction. Much longer than a statement, so that statements that are sent together arrive together.
 */
const delayMs = 8;

export interface Counted {
  /** How often a statement was sent after a response: sequential waits. */
  readonly roundTrips: number;
  readonly statements: number;
}

export interface CountingProxy extends AsyncDisposable {
  /** The folder to connect to, in place of the database's own. */
  readonly host: string;
  /** Returns the cost of `work`. */
  count(work: () => Promise<void>): Promise<Counted>;
}

/** Marks the connections that requests use; the pipeline has others. */
const counted = Buffer.from('application_name\0colophon\0');

/** Counts frontend messages: Execute, and Query, which sends begin and commit. */
function statementCounter() {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  let counts = false;
  return (chunk: Buffer): number => {
    rest = Buffer.concat([rest, chunk]);
    let statements = 0;
    for (;;) {
      // The start-up message has no type byte.
      const head = started ? 1 : 0;
      if (rest.length < head + 4) return statements;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return statements;
      const type = started ? String.fromCodePoint(rest.readUInt8(0)) : '';
      if (!started) counts = rest.subarray(0, length).includes(counted);
      else if (counts && (type === 'E' || type === 'Q')) statements += 1;
      started = true;
      rest = rest.subarray(length);
    }
  };
}

export async function openCountingProxy(target: {
  host: string;
  port: number;
}): Promise<CountingProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-proxy-'));
  const file = `.s.PGSQL.${target.port}`;
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  let statements = 0;
  let answered = true;

  const server = createServer((client) => {
    const database = connect(join(target.host, file));
    const countIn = statementCounter();
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk: Buffer) => {
      const count = countIn(chunk);
      statements += count;
      if (answered && count > 0) {
        roundTrips += 1;
        answered = false;
      }
      setTimeout(() => database.write(chunk), delayMs);
    });
    database.on('data', (chunk: Buffer) => {
      setTimeout(() => {
        answered = true;
        client.write(chunk);
      }, delayMs);
    });
    client.on('close', () => database.end());
    database.on('close', () => client.end());
  });
  await new Promise<void>((listening) => server.listen(join(folder, file), listening));

  return {
    host: folder,
    count: async (work) => {
      [roundTrips, statements, answered] = [0, 0, true];
      await work();
      return { roundTrips, statements };
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
