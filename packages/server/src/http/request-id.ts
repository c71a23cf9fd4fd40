// The id of a request: the client's own if it is well-formed, otherwise a new one.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const valid = /^[A-Za-z0-9._~-]{8,64}$/;

export function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const sent = message.headers['x-request-id'];
  return typeof sent === 'string' && valid.test(sent) ? sent : randomUUID();
}
