// Where links and pictures of a text may lead: an allow-list, and everything else is plain text. Pure.

/** The addresses that are the service's own. */
export interface Site {
  readonly baseUrl: string;
  /** What the id of a file follows after a slash. */
  readonly mediaBaseUrl: string;
}

/** Begins every id that is made from a heading: it can neither meet an id of the page nor a DOM name. */
export const idPrefix = 'md-';

/** Those of web links and mail, and those that an edge may name. */
const schemes = new Set(['http', 'https', 'mailto', 'doi', 'urn', 'ipfs', 'at', 'nostr', 'gemini']);

/** User generated, no endorsement, no way back into this window. */
const foreign = 'ugc nofollow noopener';

/** Behind this many characters a heading's text does not change its id. */
const slugMax = 100;

export interface Target {
  readonly href: string;
  /** null for what is the service's own. */
  readonly rel: string | null;
}

/** As GitHub makes ids of headings, so that tables of contents written for it work. */
export function slugOf(text: string): string {
  const kept = text
    .slice(0, slugMax)
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '');
  return kept.replaceAll(' ', '-') || 'section';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone `%` is no reason to lose the link.
    return text;
  }
}

/** The address of one of the service's own media; undefined for everything else. */
export function mediaAddress(address: string, site: Site): string | undefined {
  for (const base of ['/media', `${site.baseUrl}/media`, site.mediaBaseUrl]) {
    const path = address.startsWith(base) ? address.slice(base.length) : '';
    const own = /^\/([0-9A-HJKMNP-TV-Z]{26})(\?w=\d{1,4})?$/.exec(path);
    if (own !== null) return `${site.mediaBaseUrl}/${own[1]}${own[2] ?? ''}`;
  }
  return undefined;
}

/** Browsers read `https:x` and `https:\x` as paths of the page or as other hosts than one sees. */
function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^/\\]/i.test(address) && URL.canParse(address);
}

/** An address as a link may have it; undefined for what must stay text, relative addresses too. */
export function linkTarget(address: string, site: Site): Target | undefined {
  if (/^#./.test(address)) {
    const slug = slugOf(decoded(address.slice(1)));
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
