// Keeps what the operator watches from pages of other sites: DNS rebinding leads their names to this machine.
import type { onRequestHookHandler } from 'fastify';
import type { Config } from '#config';
import { isLoopback } from '#lib/loopback';
import { problem } from './problem.ts';

/** The name in a Host header, without its port. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/**
 * Hook for `onRequest`. On a loopback address the Host must be a loopback name or that of BASE_URL. A
 * browser sends the name of its page; what sends none is no browser.
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
