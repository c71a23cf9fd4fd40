// Routes the origin of participants' media: if it has its own host, nothing else is served there.
import type { Config } from '#config';

/** A path that does not exist. */
const nowhere = '/-';

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
  const base = own.pathname.replace(/\/$/, '');
  return (path, host) => {
    if (host?.toLowerCase() !== own.host) return path;
    return path.startsWith(`${base}/`) ? `/media${path.slice(base.length)}` : nowhere;
  };
}
