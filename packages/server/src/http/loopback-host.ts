// Protects operator endpoints from pages of other sites that reach this machine by DNS rebinding.
import type { onRequestHookHandler } from 'fastify';
import type { Config } from '#config';
import { isLoopback } from '#lib/loopback';
import { problem } from './problem.ts';

/** Returns the name in a Host header, without its port. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/**
 * Returns a hook for `onRequest`. On a loopback address, the Host must be a loopback name or that of
 * BASE_URL. A browser always sends the host name of the page; a client that sends none is not a browser.
 */
export function requireLoopbackHost({ baseUrl }: Pick<Config, 'baseUrl'>): onRequestHookHandler {
  const own = nameOf(new URL(baseUrl).host);
  return ({ raw: { socket, headers } }, _reply, done) => {
    const name = nameOf(headers.host ?? 'localhost');
    if (!isLoopback(socket.localAddress ?? '') || name === own || isLoopback(name)) done();
    else
      throw problem(
        'not-found',
        'This path does not exist. GET /v1/openapi.json lists every path.',
      );
  };
}
