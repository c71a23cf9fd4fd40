// Expect: 100-continue (RFC 9110 section 10.1.1): a body is requested only when it will be read.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests whose client waits for 100 Continue before it sends the body. */
const expecting = new WeakMap<IncomingMessage, ServerResponse>();

/** Stores that the client waits for 100 Continue. */
export function expectContinue(message: IncomingMessage, response: ServerResponse): void {
  expecting.set(message, response);
}

/** Sends 100 Continue if the client waits for it. Call it before the body is read. */
export function sendContinue(message: IncomingMessage): void {
  const response = expecting.get(message);
  if (response === undefined) return;
  expecting.delete(message);
  response.writeContinue();
}

/**
 * Whether the client waits for 100 Continue. After a final answer it may send the body or another request.
 */
export function awaitsContinue(message: IncomingMessage): boolean {
  return expecting.has(message);
}
