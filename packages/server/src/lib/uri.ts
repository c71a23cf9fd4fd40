// External addresses (RFC 3986) that authors may use.

const MAX_LENGTH = 2048;

const CHARACTERS = "(?:[\\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*";

/** Labels with single dots between them; one dot at the end, which names the root, is allowed. */
const NAME = '[a-z0-9_-]+(?:\\.[a-z0-9_-]+)*\\.?';

// Scheme, host (a name or an IPv6 address), port, then path and query, then fragment. An @ before the path
// does not match, so there are no credentials and no misleading hosts.
const HTTP_URI = new RegExp(
  `^https?://(${NAME}|\\[[0-9a-f:.]+\\])(?::\\d{1,5})?(?:[/?]${CHARACTERS})?(?:#${CHARACTERS})?$`,
  'i',
);

/**
 * Whether a text is an absolute http or https URI of at most 2048 characters that can be used in a link: it
 * has a host and no credentials, and contains only the characters of RFC 3986. Other characters must be
 * percent-encoded, and names in other scripts written as `xn--…`, so that look-alike letters differ in the
 * text. The URI is never fetched.
 */
export function isHttpUri(text: string): boolean {
  const host = text.length > MAX_LENGTH ? undefined : HTTP_URI.exec(text)?.[1]?.toLowerCase();
  if (host === undefined) return false;
  // The URL standard checks what a grammar cannot: which ports exist, and that hosts such as 0x7f.1 and 80
  // are numeric addresses, which must be written in their usual form.
  const read = URL.parse(text)?.hostname;
  return read !== undefined && (read === host || host.startsWith('['));
}

/** Schemes with a host, and their default ports. */
const HOSTED = new RegExp(
  `^(gemini)://(${NAME}|\\[[0-9a-f:.]+\\])(?::(\\d{1,5}))?((?:[/?].*)?)$`,
  'i',
);
const GEMINI_PORT = '1965';

const DOI = /^(?:doi:|https?:\/\/(?:dx\.)?doi\.org\/)(10\.\d{4,9}\/[^?#]+)$/i;
/** The prefix may be subdivided (DOI Handbook, section 2.2), and a query or a fragment may follow. */
const LONGER_DOI = /^doi:(10\.\d{4,9}(?:\.\d+)*\/.+)$/i;
const URN = /^urn:([a-z0-9][a-z0-9-]{0,30}[a-z0-9]):(.+)$/i;
const IPFS = /^ipfs:\/\/([a-z0-9]+)((?:[/?#].*)?)$/i;
const AT = /^at:\/\/(did:[a-z]+:[\w.:%-]+|[a-z0-9-]+(?:\.[a-z0-9-]+)+)((?:\/[\w./:~%-]*)?)$/i;
const NOSTR = /^nostr:([a-z]+1[a-z0-9]+)$/i;

const WRITTEN = new RegExp(`^[a-z]+:(?:${CHARACTERS})(?:#${CHARACTERS})?$`, 'i');
const BRACKETED = /^[a-z]+:\/\/\[[0-9a-f:.]+\]/i;

/** RFC 3986 section 6.2.2: unreserved characters are decoded, hexadecimal digits are upper-case. */
function evenEncoding(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
}

type Canonical = (text: string) => string | undefined;

/** A DOI is case-insensitive, whether it is written as a DOI or as the URL that resolves it. */
function canonicalDoi(text: string): string | undefined {
  const name = DOI.exec(text)?.[1];
  return name === undefined ? undefined : `doi:${name.toLowerCase()}`;
}

function canonicalHref(text: string): string | undefined {
  const href = URL.parse(text)?.href;
  return href === undefined ? undefined : (canonicalDoi(href) ?? href);
}

function canonicalHttp(text: string): string | undefined {
  return isHttpUri(text) ? canonicalHref(text) : undefined;
}

/** Other DOIs are compared as the URLs that resolve them, whose stored canonical forms stay as they were. */
function canonicalDoiUri(text: string): string | undefined {
  const longer = LONGER_DOI.exec(text)?.[1];
  return (
    canonicalDoi(text) ??
    (longer === undefined ? undefined : canonicalHref(`https://doi.org/${longer}`))
  );
}

function canonicalGemini(text: string): string | undefined {
  const [, , host, port, rest] = HOSTED.exec(text) ?? [];
  if (host === undefined) return undefined;
  const shownPort = port === undefined || port === GEMINI_PORT ? '' : `:${port}`;
  return `gemini://${host.toLowerCase()}${shownPort}${rest?.startsWith('/') ? rest : `/${rest ?? ''}`}`;
}

function canonicalAt(text: string): string | undefined {
  const [, authority, rest = ''] = AT.exec(text) ?? [];
  if (authority === undefined) return undefined;
  // Handles are host names; of a DID only the scheme and the method are case-insensitive.
  const name = authority.toLowerCase().startsWith('did:') ? authority : authority.toLowerCase();
  return `at://${name}${rest === '/' ? '' : rest}`;
}

function canonicalUrn(text: string): string | undefined {
  const [, space, rest] = URN.exec(text) ?? [];
  return space === undefined ? undefined : `urn:${space.toLowerCase()}:${rest ?? ''}`;
}

function canonicalIpfs(text: string): string | undefined {
  const [, content, rest] = IPFS.exec(text) ?? [];
  return content === undefined ? undefined : `ipfs://${content}${rest ?? ''}`;
}

const canonicals: Readonly<Record<string, Canonical>> = {
  http: canonicalHttp,
  https: canonicalHttp,
  doi: canonicalDoiUri,
  urn: canonicalUrn,
  ipfs: canonicalIpfs,
  at: canonicalAt,
  nostr: (text) => (NOSTR.test(text) ? text.toLowerCase() : undefined),
  gemini: canonicalGemini,
};

/**
 * Returns the canonical form of an address, by which links are compared, or undefined for addresses that a
 * link may not have. It must be absolute, have at most 2048 characters of RFC 3986, a scheme of the list and
 * no credentials. Scheme and host become lower case, default ports and dot segments are removed,
 * percent-encoding is normalised, and an address at doi.org becomes its DOI. The address is never fetched.
 */
export function canonicalLink(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const written = WRITTEN.test(text.replace(BRACKETED, 'ip://'));
  const scheme = /^[a-z]+(?=:)/i.exec(text)?.[0].toLowerCase() ?? '';
  if (!written || !Object.hasOwn(canonicals, scheme)) return undefined;
  return canonicals[scheme]?.(evenEncoding(text));
}

/** Whether browsers open an accepted address: only these become links. */
export function isWebAddress(address: string): boolean {
  return /^https?:/i.test(address);
}
