// The origin of participants' media: where it has a host of its own, nothing else is served there.
import type { Config } from '#config';

/** A path that nothing is served at. */
const nowhere = '/-';

/**
 * Turns the path of a request into the one that is routed, by its Host. On the host of MEDIA_BASE_URL its
 * path stands for /media; on every other host, and where media have none of their own, paths stay.
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
