// Redirects other loopback names to BASE_URL: sessions and passkeys belong to one origin.
import type { FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { isLoopback } from '#lib/loopback';

/**
 * Returns the URL of the requested page under the name of BASE_URL when the request used another loopback
 * name and the same port. Returns undefined when the request used the right name, and always when BASE_URL is
 * not on loopback.
 */
export function loopbackNames({
  baseUrl,
}: Pick<Config, 'baseUrl'>): (request: FastifyRequest) => string | undefined {
  const base = new URL(baseUrl);
  if (!isLoopback(base.hostname)) return () => undefined;
  return ({ headers: { host = '' }, url }) => {
    if (host.toLowerCase() === base.host) return undefined;
    const asked = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : base;
    if (asked.hostname === base.hostname || asked.port !== base.port) return undefined;
    return isLoopback(asked.hostname) ? `${base.origin}${url}` : undefined;
  };
}
