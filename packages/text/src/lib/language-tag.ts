// Language tags (BCP 47, RFC 5646).
import { parse } from 'bcp-47';

const MAX_LENGTH = 20;

/** Whether the text follows the grammar of RFC 5646 section 2.1 and repeats no variant and no singleton. */
function isWellFormed(text: string): boolean {
  const { language, regular, irregular, privateuse, variants, extensions } = parse(text, {
    normalize: false,
  });
  // `zh-min` and similar tags are registered as a whole; `regular` contains those that the grammar would
  // parse differently.
  if (regular || irregular) return true;
  if (!language) return privateuse.length > 0;
  const once = [
    ...variants.map((variant) => variant.toLowerCase()),
    ...extensions.map(({ singleton }) => singleton.toLowerCase()),
  ];
  return new Set(once).size === once.length;
}

/** Returns the conventional case (RFC 5646 section 2.1.1): `zh-Hant-TW`, and lower case after a singleton. */
function conventional(text: string): string {
  let extended = false;
  return text
    .toLowerCase()
    .split('-')
    .map((part, at) => {
      const [first = ''] = part;
      const plain = at === 0 || extended;
      extended ||= part.length === 1;
      if (plain || !/^[a-z]+$/.test(part)) return part;
      if (part.length === 2) return part.toUpperCase();
      return part.length === 4 ? first.toUpperCase() + part.slice(1) : part;
    })
    .join('-');
}

/** Returns ECMAScript's canonical form. It rejects grandfathered tags and extended languages. */
function canonicalLocale(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    // Intl reports an invalid tag only by a RangeError; it has no function that only checks.
    return undefined;
  }
}

/**
 * Returns the canonical form of a well-formed tag of at most 20 characters (`EN-us` is `en-US`, `iw` is `he`,
 * `und` and `zh-min-nan` stay), or undefined for anything else. Only the form is checked: `xx` is a tag.
 */
export function canonicalLanguageTag(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !isWellFormed(text)) return undefined;
  const canonical = canonicalLocale(text) ?? conventional(text);
  // The canonical form may be longer than the input.
  return canonical.length <= MAX_LENGTH ? canonical : conventional(text);
}

/** Whether a text is a well-formed language tag of at most 20 characters. */
export function isLanguageTag(text: string): boolean {
  return canonicalLanguageTag(text) !== undefined;
}
