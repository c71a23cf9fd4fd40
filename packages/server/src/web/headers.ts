// The response headers of every page: with them, an error in a page runs and loads nothing.
import type { Config } from '#config';

type Site = Pick<Config, 'baseUrl' | 'mediaBaseUrl' | 'deployment'>;

/** Returns the origin of participants' media when it differs from the origin of the service. */
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

/**
 * Returns the headers of pages. HSTS is sent only when the service uses TLS: otherwise it would lock readers
 * out.
 */
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

/** Returns the headers of a page whose script adds style rules of its own, in an element with this nonce. */
export function allowingStyles(
  headers: Readonly<Record<string, string>>,
  nonce: string,
): Readonly<Record<string, string>> {
  const name = 'content-security-policy';
  const policy = headers[name]?.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`);
  return { ...headers, [name]: policy ?? '' };
}
