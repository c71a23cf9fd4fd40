// What every page carries in its head of headers, so that a mistake in a page runs nothing and loads nothing.
import type { Config } from '#config';

type Site = Pick<Config, 'baseUrl' | 'mediaBaseUrl' | 'deployment'>;

/** Origin of participants' media where it is not the service's own. */
function mediaOrigin({ baseUrl, mediaBaseUrl }: Site): string {
  const { origin } = new URL(mediaBaseUrl);
  return origin === new URL(baseUrl).origin ? '' : ` ${origin}`;
}

function contentPolicy(site: Site): string {
  const media = mediaOrigin(site);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${media}`,
    `media-src 'self'${media}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The headers of pages. HSTS only where the service is reached by TLS: elsewhere it would lock people out. */
export function pageHeaders(site: Site): Readonly<Record<string, string>> {
  const secure = site.baseUrl.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {};
  return {
    'content-security-policy': contentPolicy(site),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), interest-cohort=()',
    ...secure,
  };
}
