// In which direction a text is written: by its language, or else by its first letter.

const rightToLeftScripts = /^(?:adlm|arab|hebr|mand|mend|nkoo|rohg|samr|syrc|thaa)$/;
/** Primary subtags whose usual script runs from right to left. */
const rightToLeftLanguages =
  /^(?:ar|arc|arz|azb|bal|ckb|dv|fa|glk|he|iw|ji|ks|lrc|mzn|nqo|pnb|prs|ps|sd|skr|syr|ug|ur|yi)$/;
const scriptSubtag = /^[a-z]{4}$/;

/** A letter of a script that runs from right to left, or another letter. */
const firstLetter =
  /([\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Syriac}\p{scx=Thaana}\p{scx=Nko}\p{scx=Adlam}\p{scx=Samaritan}\p{scx=Mandaic}](?<=\p{L}))|\p{L}/u;
/** UTF-16 units: behind them a text without letters has no direction. */
const lookedAt = 1_000;

export type Direction = 'ltr' | 'rtl';

/** By the first letter; left to right where there is none. */
export function directionOfText(text: string): Direction {
  return firstLetter.exec(text.slice(0, lookedAt))?.[1] === undefined ? 'ltr' : 'rtl';
}

/** By the BCP 47 tag; where the language is unknown (`und`), by the first letter of the text. */
export function directionOf(language: string, text: string): Direction {
  if (language === 'und' || language === '') return directionOfText(text);
  const [primary = '', ...rest] = language.toLowerCase().split('-');
  const script = rest.find((subtag) => scriptSubtag.test(subtag));
  const isRightToLeft =
    script === undefined ? rightToLeftLanguages.test(primary) : rightToLeftScripts.test(script);
  return isRightToLeft ? 'rtl' : 'ltr';
}
