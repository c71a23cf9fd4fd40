// Limits the response bytes in this process that clients have not read.
import type { ServerResponse } from 'node:http';
import type { Connection } from './connection.ts';

/**
 * An answer of this size is allowed even if the limit is reached, unless its connection has other unread
 * bytes.
 */
const smallBytes = 16 * 1024;
/** Share of the limit for one network address: more than the longest answer, less than half. */
const share = 0.4;

export interface Unread {
  /**
   * Sets the bytes counted for the response until `free`, replacing the previous count; false: they exceed a
   * limit and are not counted.
   */
  readonly reserve: (connection: Connection, response: ServerResponse, bytes: number) => boolean;
  /** Adds bytes to the count of the response regardless of the limits. */
  readonly add: (connection: Connection, response: ServerResponse, bytes: number) => void;
  readonly free: (connection: Connection, response: ServerResponse) => void;
  readonly freeAll: (connection: Connection) => void;
}

export function openUnread(bytesMax: number): Unread {
  const perAddress = bytesMax * share;
  let total = 0;

  function add(connection: Connection, response: ServerResponse, bytes: number): void {
    total += bytes;
    connection.peer.unreadBytes += bytes;
    connection.unreadBytes += bytes;
    connection.unreadOf.set(response, (connection.unreadOf.get(response) ?? 0) + bytes);
  }

  function fits({ peer, unreadBytes }: Connection, bytes: number): boolean {
    if (bytes <= smallBytes && unreadBytes === 0) return true;
    if (total + bytes > bytesMax) return false;
    return peer.address === undefined || peer.unreadBytes + bytes <= perAddress;
  }

  function free(connection: Connection, response: ServerResponse): void {
    const bytes = connection.unreadOf.get(response) ?? 0;
    connection.unreadOf.delete(response);
    total -= bytes;
    connection.peer.unreadBytes -= bytes;
    connection.unreadBytes -= bytes;
  }

  return {
    reserve: (connection, response, bytes) => {
      const more = bytes - (connection.unreadOf.get(response) ?? 0);
      if (more > 0 && !fits(connection, more)) return false;
      add(connection, response, more);
      return true;
    },
    add,
    free,
    freeAll: (connection) => {
      for (const response of connection.unreadOf.keys()) free(connection, response);
    },
  };
}
