// A service on this machine has several names, and one of them for people: sessions and passkeys belong to one origin.
import type { FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { isLoopback } from '#lib/loopback';

/**
 * Answers for a request the address of the same page under the name of BASE_URL, when it came under another loopback
 * name and the same port. Undefined where it came rightly, and for every service that others can reach.
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
