// The allow-list for links and pictures in a text; everything else stays plain text. Pure.

/** The addresses of the service itself. */
export interface Site {
  readonly baseUrl: string;
  /** The part of a file's address before the slash and its id. */
  readonly mediaBaseUrl: string;
}

/**
 * The prefix of every id that is made from a heading: it prevents clashes with ids of the page and with DOM
 * names.
 */
export const idPrefix = 'md-';

/** The schemes of web links and mail, and those that an edge may use. */
const schemes = new Set(['http', 'https', 'mailto', 'doi', 'urn', 'ipfs', 'at', 'nostr', 'gemini']);

/** User-generated, no endorsement, no access to this window. */
const foreign = 'ugc nofollow noopener';

/** Characters of a heading that affect its id. */
const slugMax = 100;

export interface Target {
  readonly href: string;
  /** null for addresses of the service itself. */
  readonly rel: string | null;
}

/** Returns the slug of a heading as GitHub makes it, so that tables of contents written for GitHub work. */
export function slugOf(text: string): string {
  const kept = text
    .slice(0, slugMax)
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '');
  return kept.replaceAll(' ', '-') || 'section';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // An invalid escape does not break the link.
    return text;
  }
}

/** Returns the address of one of the service's own media; undefined for everything else. */
export function mediaAddress(address: string, site: Site): string | undefined {
  for (const base of ['/media', `${site.baseUrl}/media`, site.mediaBaseUrl]) {
    const path = address.startsWith(base) ? address.slice(base.length) : '';
    const own = /^\/([0-9A-HJKMNP-TV-Z]{26})(\?w=\d{1,4})?$/.exec(path);
    if (own !== null) return `${site.mediaBaseUrl}/${own[1]}${own[2] ?? ''}`;
  }
  return undefined;
}

/** Browsers read `https:x` and `https:\x` as paths of the page, or as hosts other than the visible one. */
function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^/\\]/i.test(address) && URL.canParse(address);
}

/**
 * Returns the target of an allowed link; undefined for addresses that must stay text, including relative
 * ones.
 */
export function linkTarget(address: string, site: Site): Target | undefined {
  if (/^#./.test(address)) {
    const slug = slugOf(decode(address.slice(1)));
    return { href: `#${idPrefix}${encodeURIComponent(slug)}`, rel: null };
  }
  const media = mediaAddress(address, site);
  if (media !== undefined) return { href: media, rel: null };
  const scheme = /^([a-z][a-z0-9+.-]*):./i.exec(address)?.[1]?.toLowerCase() ?? '';
  if (!schemes.has(scheme)) return undefined;
  if (!scheme.startsWith('http')) return { href: address, rel: foreign };
  if (!isWebAddress(address)) return undefined;
  const own = new URL(address).origin === new URL(site.baseUrl).origin;
  return { href: address, rel: own ? null : foreign };
}
