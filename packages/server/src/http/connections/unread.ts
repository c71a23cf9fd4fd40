// Bounds the response bytes that this process holds because clients have not read them.
import type { ServerResponse } from 'node:http';
import type { Connection } from './connection.ts';

/** An answer of this size is given even when the bound is reached, if its connection holds nothing else. */
const smallBytes = 16 * 1024;
/** Part of the bound that one network address may fill: more than the longest answer, less than half. */
const share = 0.4;

export interface Unread {
  /**
   * Counts so many bytes for the response, in place of those that are counted for it already, until `free`;
   * false: they go beyond a bound and are not counted.
   */
  readonly hold: (connection: Connection, response: ServerResponse, bytes: number) => boolean;
  /** Counts them whatever the bounds are. */
  readonly add: (connection: Connection, response: ServerResponse, bytes: number) => void;
  readonly free: (connection: Connection, response: ServerResponse) => void;
  readonly freeAll: (connection: Connection) => void;
}

export function openUnread(bytesMax: number): Unread {
  const perAddress = bytesMax * share;
  let total = 0;

  function add(connection: Connection, response: ServerResponse, bytes: number): void {
    total += bytes;
    connection.peer.heldBytes += bytes;
    connection.heldBytes += bytes;
    connection.held.set(response, (connection.held.get(response) ?? 0) + bytes);
  }

  function fits({ peer, heldBytes }: Connection, bytes: number): boolean {
    if (bytes <= smallBytes && heldBytes === 0) return true;
    if (total + bytes > bytesMax) return false;
    return peer.address === undefined || peer.heldBytes + bytes <= perAddress;
  }

  function free(connection: Connection, response: ServerResponse): void {
    const bytes = connection.held.get(response) ?? 0;
    connection.held.delete(response);
    total -= bytes;
    connection.peer.heldBytes -= bytes;
    connection.heldBytes -= bytes;
  }

  return {
    hold: (connection, response, bytes) => {
      const more = bytes - (connection.held.get(response) ?? 0);
      if (more > 0 && !fits(connection, more)) return false;
      add(connection, response, more);
      return true;
    },
    add,
    free,
    freeAll: (connection) => {
      for (const response of connection.held.keys()) free(connection, response);
    },
  };
}
