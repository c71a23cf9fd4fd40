// Language tags (BCP 47).

const MAX_LENGTH = 20;

/**
 * The canonical spelling of a well-formed tag of at most 20 characters (`EN-us` is `en-US`, `iw` is
 * `he`, `und` stays), or undefined for anything else. Only the form is checked: `xx` is a tag.
 */
export function canonicalLanguageTag(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    const [tag] = Intl.getCanonicalLocales(text);
    // A canonical spelling may be longer than what was sent.
    return tag !== undefined && tag.length <= MAX_LENGTH ? tag : undefined;
  } catch {
    // A RangeError is how Intl says that a tag is malformed; there is no call that only asks.
    return undefined;
  }
}

/** Whether a text is a well-formed language tag of at most 20 characters. */
export function isLanguageTag(text: string): boolean {
  return canonicalLanguageTag(text) !== undefined;
}
