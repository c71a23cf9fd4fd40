// Addresses of pages elsewhere (RFC 3986), as authors may name them.

const MAX_LENGTH = 2048;

const CHARACTERS = "(?:[\\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*";

// Scheme, host (a name or an IPv6 address), port, then path and query, then fragment. An @ before the
// path cannot match, so there are no credentials and no host that only looks like one.
const HTTP_URI = new RegExp(
  `^https?://([a-z0-9._-]+|\\[[0-9a-f:.]+\\])(?::\\d{1,5})?(?:[/?]${CHARACTERS})?(?:#${CHARACTERS})?$`,
  'i',
);

/**
 * Whether a text is an absolute http or https URI of at most 2048 characters that can stand as a
 * `canonical_url`: it has a host and no credentials, and is written in RFC 3986's characters. Other
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
