// The writing direction of a text: by its language, or else by its first letter.

const rightToLeftScripts = /^(?:adlm|arab|hebr|mand|mend|nkoo|rohg|samr|syrc|thaa)$/;
/** Primary subtags of languages whose usual script runs from right to left. */
const rightToLeftLanguages =
  /^(?:ar|arc|arz|azb|bal|ckb|dv|fa|glk|he|iw|ji|ks|lrc|mzn|nqo|pnb|prs|ps|sd|skr|syr|ug|ur|yi)$/;
const scriptSubtag = /^[a-z]{4}$/;

/** Matches the first letter: of a right-to-left script, or another one. */
const firstLetter =
  /([\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Syriac}\p{scx=Thaana}\p{scx=Nko}\p{scx=Adlam}\p{scx=Samaritan}\p{scx=Mandaic}](?<=\p{L}))|\p{L}/u;
/** UTF-16 units that are searched for a letter. */
const lookedAt = 1_000;

export type Direction = 'ltr' | 'rtl';

/** Returns the direction by the first letter; left to right if there is no letter. */
export function directionOfText(text: string): Direction {
  return firstLetter.exec(text.slice(0, lookedAt))?.[1] === undefined ? 'ltr' : 'rtl';
}

/**
 * Returns the direction by the BCP 47 tag; if the language is unknown (`und`), by the first letter of the
 * text.
 */
export function directionOf(language: string, text: string): Direction {
  if (language === 'und' || language === '') return directionOfText(text);
  const [primary = '', ...rest] = language.toLowerCase().split('-');
  const script = rest.find((subtag) => scriptSubtag.test(subtag));
  const isRightToLeft =
    script === undefined ? rightToLeftLanguages.test(primary) : rightToLeftScripts.test(script);
  return isRightToLeft ? 'rtl' : 'ltr';
}
