// Expect: 100-continue (RFC 9110 section 10.1.1): a body is asked for only when somebody will read it.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests whose client waits for 100 before it sends the body. */
const expecting = new WeakMap<IncomingMessage, ServerResponse>();

/** Records that the client waits. */
export function expectContinue(message: IncomingMessage, response: ServerResponse): void {
  expecting.set(message, response);
}

/** Tells a client that waits to send its body. To be called before the body is read. */
export function sendContinue(message: IncomingMessage): void {
  const response = expecting.get(message);
  if (response === undefined) return;
  expecting.delete(message);
  response.writeContinue();
}

/** The client was not told to send its body: it may send it, or another request, after a final answer. */
export function awaitsContinue(message: IncomingMessage): boolean {
  return expecting.has(message);
}
