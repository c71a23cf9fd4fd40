// The writing direction of a text: by its language, or else by its letters.

const rightToLeftScripts = /^(?:adlm|arab|hebr|mand|mend|nkoo|rohg|samr|syrc|thaa)$/;
/** Primary subtags of languages whose usual script runs from right to left. */
const rightToLeftLanguages =
  /^(?:ar|arc|arz|azb|bal|ckb|dv|fa|glk|he|iw|ji|ks|lrc|mzn|nqo|pnb|prs|ps|sd|skr|syr|ug|ur|yi)$/;
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

/**
 * Returns the direction by the BCP 47 tag; if the language is unknown (`und`), by its letters.
 */
export function directionOf(language: string, text: string): Direction {
  if (language === 'und' || language === '') return directionOfText(text);
  const [primary = '', ...rest] = language.toLowerCase().split('-');
  const script = rest.find((subtag) => scriptSubtag.test(subtag));
  const isRightToLeft =
    script === undefined ? rightToLeftLanguages.test(primary) : rightToLeftScripts.test(script);
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
