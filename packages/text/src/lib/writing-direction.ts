// The writing direction of a text: by its language, or else by its letters.

/** The scripts that Unicode writes from right to left; `aran` is Arabic in the style of Nastaliq. */
const rightToLeftScripts =
  /^(?:adlm|arab|aran|armi|avst|chrs|cprt|elym|gara|hatr|hebr|hung|khar|lydi|mand|mani|mend|merc|mero|narb|nbat|nkoo|orkh|ougr|palm|phli|phlp|phnx|prti|rohg|samr|sarb|sogd|sogo|syrc|thaa|yezi)$/;
/** Primary subtags of languages whose usual script runs from right to left, as CLDR has it (likely subtags). */
const rightToLeftLanguages =
  /^(?:abh|abv|acm|acq|acw|acx|adf|aeb|aec|aeq|afb|aii|ajp|ajt|apc|apd|ar|arb|arc|arq|ars|ary|arz|auz|avl|ayh|ayl|ayn|ayp|azb|bal|bcc|bft|bgn|bgp|bhm|bqi|brh|cja|ckb|dcc|def|dml|dv|fa|fay|gbz|gig|gju|glk|gwc|gwt|gzi|hac|haz|he|hnd|hno|iw|jad|jat|ji|jpr|jrb|kas|khw|klj|kmz|ks|kvx|lah|lki|lrc|lsd|luv|luz|mby|mid|mki|mve|mvy|mzn|nqo|oru|ota|pbt|pbu|pes|phr|plk|pnb|prd|prs|ps|pst|rhg|sam|sd|sdb|sdf|sdh|shu|siz|skr|ssh|swb|syc|syr|trw|ug|ur|uzs|wne|wni|ydd|ydg|yi|yih|zdj|zum)$/;
/** Regions in which a language is usually written in the other direction, for the same reason. */
const turningRegions: Readonly<Record<string, readonly string[]>> = {
  az: ['iq', 'ir'],
  ha: ['cm', 'sd'],
  kk: ['af', 'cn', 'ir', 'mn'],
  ku: ['iq', 'ir', 'lb'],
  ky: ['cn'],
  ms: ['cc'],
  pa: ['pk'],
  sd: ['in'],
  tg: ['pk'],
  ug: ['kz', 'mn'],
  uz: ['af'],
};
const scriptSubtag = /^[a-z]{4}$/;

/** Letters of right-to-left scripts, and the other letters. */
const rightToLeftLetter =
  /[\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Syriac}\p{scx=Thaana}\p{scx=Nko}\p{scx=Adlam}\p{scx=Samaritan}\p{scx=Mandaic}](?<=\p{L})/gu;
const letter = /\p{L}/gu;
/** The blocks of those scripts: most texts have none of their characters, and are not counted. */
const rightToLeftBlock =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** UTF-16 units that are searched for a letter. */
const lookedAt = 1_000;

export type Direction = 'ltr' | 'rtl';

/** Counts the letters of a text: of right-to-left scripts, and others (of a text without the former, one at most). */
function lettersOf(text: string) {
  const looked = text.slice(0, lookedAt);
  if (!rightToLeftBlock.test(looked))
    return { right: 0, left: /\p{L}/u.test(looked) ? 1 : 0, isFirst: false };
  const right = looked.match(rightToLeftLetter) ?? [];
  const all = looked.match(letter) ?? [];
  return {
    right: right.length,
    left: all.length - right.length,
    isFirst: right.length > 0 && all[0] === right[0],
  };
}

/** Whether the first letter is of a right-to-left script: this is how browsers choose a direction. */
export function beginsRightToLeft(text: string): boolean {
  return lettersOf(text).isFirst;
}

/**
 * Returns the direction by the first letter, or by the most letters if the first one is not of a
 * right-to-left script: Hebrew and Arabic sentences often begin with a name in Latin letters. Left to right
 * if there is no letter.
 */
export function directionOfText(text: string): Direction {
  const { right, left, isFirst } = lettersOf(text);
  return isFirst || right > left ? 'rtl' : 'ltr';
}

/** Whether a language without a script subtag is usually written from right to left. */
function isUsuallyRightToLeft(primary: string, rest: readonly string[]): boolean {
  const turning = Object.hasOwn(turningRegions, primary) ? (turningRegions[primary] ?? []) : [];
  const isTurned = turning.some((region) => rest.includes(region));
  return rightToLeftLanguages.test(primary) !== isTurned;
}

/**
 * Returns the direction by the BCP 47 tag: by its script, or else by the language and the region (Punjabi runs from
 * right to left in Pakistan only). If the language is unknown (`und`), by the letters of the text.
 */
export function directionOf(language: string, text: string): Direction {
  const [primary = '', ...others] = language.toLowerCase().split('-');
  const end = others.findIndex((subtag) => subtag.length === 1);
  // What follows a subtag of one letter is an extension or private: `en-x-arab` is English.
  const rest = end < 0 ? others : others.slice(0, end);
  const script = primary === 'x' ? undefined : rest.find((subtag) => scriptSubtag.test(subtag));
  if (script === undefined && (primary === 'und' || primary === '')) return directionOfText(text);
  const isRightToLeft =
    script === undefined ? isUsuallyRightToLeft(primary, rest) : rightToLeftScripts.test(script);
  return isRightToLeft ? 'rtl' : 'ltr';
}

/**
 * Returns the direction of a part of a text in that language, such as its title. In a text from right to
 * left, a part with one such letter has that direction too; in another text, a part with mostly such letters.
 */
export function directionOfPart(language: string, part: string): Direction {
  const { right, left } = lettersOf(part);
  if (directionOf(language, part) === 'rtl') return right === 0 && left > 0 ? 'ltr' : 'rtl';
  return right > left ? 'rtl' : 'ltr';
}
