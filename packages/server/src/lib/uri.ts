// Addresses elsewhere (RFC 3986), as authors may name them.

const MAX_LENGTH = 2048;

const CHARACTERS = "(?:[\\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*";

/** Labels with single points between them; the one at the end that names the root may stand. */
const NAME = '[a-z0-9_-]+(?:\\.[a-z0-9_-]+)*\\.?';

// Scheme, host (a name or an IPv6 address), port, then path and query, then fragment. An @ before the
// path cannot match, so there are no credentials and no host that only looks like one.
const HTTP_URI = new RegExp(
  `^https?://(${NAME}|\\[[0-9a-f:.]+\\])(?::\\d{1,5})?(?:[/?]${CHARACTERS})?(?:#${CHARACTERS})?$`,
  'i',
);

/**
 * Whether a text is an absolute http or https URI of at most 2048 characters that can stand in
 * a link: it has a host and no credentials, and is written in RFC 3986's characters. Other
 * characters must come percent-encoded, and names of other scripts as `xn--…`: what looks alike to
 * people is then not alike in the text. Nothing is ever fetched.
 */
export function isHttpUri(text: string): boolean {
  const host = text.length > MAX_LENGTH ? undefined : HTTP_URI.exec(text)?.[1]?.toLowerCase();
  if (host === undefined) return false;
  // The URL standard knows what no grammar of characters does: which ports exist, and that hosts such
  // as 0x7f.1 and 80 are numbers for an address, which must be written as such.
  const read = URL.parse(text)?.hostname;
  return read !== undefined && (read === host || host.startsWith('['));
}

/** Schemes whose addresses name a host, and the port that goes without saying. */
const HOSTED = new RegExp(
  `^(gemini)://(${NAME}|\\[[0-9a-f:.]+\\])(?::(\\d{1,5}))?((?:[/?].*)?)$`,
  'i',
);
const GEMINI_PORT = '1965';

const DOI = /^(?:doi:|https?:\/\/(?:dx\.)?doi\.org\/)(10\.\d{4,9}\/[^?#]+)$/i;
const URN = /^urn:([a-z0-9][a-z0-9-]{0,30}[a-z0-9]):(.+)$/i;
const IPFS = /^ipfs:\/\/([a-z0-9]+)((?:[/?#].*)?)$/i;
const AT = /^at:\/\/(did:[a-z]+:[\w.:%-]+|[a-z0-9-]+(?:\.[a-z0-9-]+)+)((?:\/[\w./:~%-]*)?)$/i;
const NOSTR = /^nostr:([a-z]+1[a-z0-9]+)$/i;

const WRITTEN = new RegExp(`^[a-z]+:(?:${CHARACTERS})(?:#${CHARACTERS})?$`, 'i');
const BRACKETED = /^[a-z]+:\/\/\[[0-9a-f:.]+\]/i;

/** RFC 3986 section 6.2.2: unreserved characters stand for themselves, the hexadecimal digits are upper-case. */
function evenEncoding(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
}

type Canonical = (text: string) => string | undefined;

/** A DOI is one name in whatever case, whether it is written as such or as the address that resolves it. */
function canonicalDoi(text: string): string | undefined {
  const name = DOI.exec(text)?.[1];
  return name === undefined ? undefined : `doi:${name.toLowerCase()}`;
}

function canonicalHttp(text: string): string | undefined {
  if (!isHttpUri(text)) return undefined;
  const href = URL.parse(text)?.href;
  return href === undefined ? undefined : (canonicalDoi(href) ?? href);
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
  // Handles are host names; of a DID only the scheme and the method have no case.
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
  doi: canonicalDoi,
  urn: canonicalUrn,
  ipfs: canonicalIpfs,
  at: canonicalAt,
  nostr: (text) => (NOSTR.test(text) ? text.toLowerCase() : undefined),
  gemini: canonicalGemini,
};

/**
 * The one spelling of an address that links are compared by, or undefined for what no link may lead to:
 * absolute, at most 2048 characters of RFC 3986, a scheme of the list, no credentials. Scheme and host
 * lose their case, default ports and dot segments go, percent-encoding becomes even; an address of
 * doi.org becomes its DOI. Nothing is ever fetched.
 */
export function canonicalLink(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const written = WRITTEN.test(text.replace(BRACKETED, 'ip://'));
  const scheme = /^[a-z]+(?=:)/i.exec(text)?.[0].toLowerCase() ?? '';
  if (!written || !Object.hasOwn(canonicals, scheme)) return undefined;
  return canonicals[scheme]?.(evenEncoding(text));
}

/** Whether a taken address is one that browsers open: only these become links. */
export function isWebAddress(address: string): boolean {
  return /^https?:/i.test(address);
}
