// Routes the origin of participants' media: if it has its own host, nothing else is served there.
import type { Config } from '#config';

/** A path that does not exist. */
const nowhere = '/-';

/**
 * Returns a Host as a URL of this scheme writes it: with the port of the scheme, or with the dot of the root at its
 * end, it names the same host (RFC 9110 section 4.2.3, RFC 1034 section 3.1).
 */
function hostIn(protocol: string, host: string): string {
  const usual = protocol === 'https:' ? '443' : '80';
  const [, name = host, port] = /^(.*?)(?::(\d*))?$/.exec(host.toLowerCase()) ?? [];
  const bare = name.replace(/\.$/, '');
  return port === undefined || port === '' || port === usual ? bare : `${bare}:${port}`;
}

/**
 * Returns a function that maps the path of a request, by its Host, to the path that is routed. On the host of
 * MEDIA_BASE_URL its path is mapped to /media; on every other host, and if media have no host of their own,
 * paths are unchanged.
 */
export function mediaOrigin(
  config: Pick<Config, 'baseUrl' | 'mediaBaseUrl'>,
): (path: string, host: string | undefined) => string {
  const own = new URL(config.mediaBaseUrl);
  if (own.host === new URL(config.baseUrl).host) return (path) => path;
  const ownHost = hostIn(own.protocol, own.host);
  const base = own.pathname.replace(/\/$/, '');
  return (path, host) => {
    if (host === undefined || hostIn(own.protocol, host) !== ownHost) return path;
    return path.startsWith(`${base}/`) ? `/media${path.slice(base.length)}` : nowhere;
  };
}
