// Finds invisible characters, line breaks and direction changes in text, and text that is invisible.

/**
 * Invisible characters, as the inside of a class of a regular expression with the flag `u`: controls, format
 * characters, joiners, fillers, variation selectors, tags. U+2800 is a blank that counts as a symbol.
 */
export const unseenClass = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;

/** Private use characters look different in each font: they are not allowed in names. */
const HIDDEN = new RegExp(`[${unseenClass}\\p{Co}]`, 'gu');
const VISIBLE = new RegExp(`[^\\s${unseenClass}\\p{Co}]`, 'u');
const BIDI = /\p{Bidi_Control}/u;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

const ANYTHING = /(?:)/;
const JOINING_SCRIPT =
  /[\p{scx=Arabic}\p{scx=Syriac}\p{scx=Mongolian}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Gurmukhi}\p{scx=Gujarati}\p{scx=Oriya}\p{scx=Tamil}\p{scx=Telugu}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Khmer}]/u;
const BROKEN_SCRIPT = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

interface Need {
  readonly of: RegExp;
  readonly behind: RegExp;
  readonly before: RegExp;
}

/** Contexts in which writing needs an invisible character. */
const NEEDS: readonly Need[] = [
  // Visible marks: signs of numbers and of the end of a verse, written before the characters that they span.
  {
    of: /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u,
    behind: ANYTHING,
    before: ANYTHING,
  },
  // Select the text or the emoji form of a character.
  {
    of: /[\ufe0e\ufe0f]/,
    behind: /(?![0-9#*])[\p{Extended_Pictographic}\p{Emoji}]/u,
    before: ANYTHING,
  },
  { of: /[\ufe0e\ufe0f]/, behind: /[0-9#*]/, before: /\u20e3/ },
  { of: /[\u200c\u200d]/, behind: JOINING_SCRIPT, before: JOINING_SCRIPT },
  // An emoji of several code points.
  {
    of: /\u200d/,
    behind: /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,
    before: /\p{Extended_Pictographic}/u,
  },
  // Variants of an ideograph. Selectors after U+E013F are not registered, and are used to carry bytes.
  { of: /[\ufe00-\ufe02\u{e0100}-\u{e013f}]/u, behind: /\p{Script=Han}/u, before: ANYTHING },
  // Variants of Mongolian letters, and the gap before the last vowel.
  { of: /[\u180b-\u180d\u180f]/, behind: /[\u1820-\u18aa]/, before: ANYTHING },
  { of: /\u180e/, behind: /[\u180b-\u180d\u180f\u1820-\u18aa]/, before: /[\u1820-\u18aa]/ },
  // Line break opportunities in scripts without spaces.
  { of: /\u200b/, behind: BROKEN_SCRIPT, before: BROKEN_SCRIPT },
];

/** England, Scotland and Wales: the only flags that are written with tags. */
const FLAGS =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;
const TAG = /[\u{e0062}-\u{e0077}\u{e007f}]/u;
const FLAG_LENGTH = 14;

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  const pair = characterAt(text, at - 2);
  return pair.length === 2 ? pair : text.slice(Math.max(0, at - 1), at);
}

function isInFlag(text: string, at: number): boolean {
  const from = Math.max(0, at - FLAG_LENGTH);
  const around = text.slice(from, at + FLAG_LENGTH);
  return Array.from(around.matchAll(FLAGS)).some(
    ({ index }) => from + index < at && at < from + index + FLAG_LENGTH,
  );
}

/**
 * Whether writing needs the invisible character at a position (in UTF-16 units): joiners between letters of
 * scripts that join (Persian, the scripts of India) and inside of an emoji, variation selectors, line break
 * opportunities in Thai, and the flags that are written with tags.
 */
export function isNeeded(text: string, at: number): boolean {
  const character = characterAt(text, at);
  if (TAG.test(character)) return isInFlag(text, at);
  const previous = characterBefore(text, at);
  const next = characterAt(text, at + character.length);
  return NEEDS.some(
    ({ of, behind, before }) => of.test(character) && behind.test(previous) && before.test(next),
  );
}

/**
 * Describes the first invisible character of a line of text, with its position (from 1, in code points);
 * returns undefined when all characters are visible. Invisible characters that writing needs are allowed.
 */
export function hiddenCharacter(text: string): string | undefined {
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (isNeeded(text, index)) continue;
    const place = Array.from(text.slice(0, index)).length + 1;
    return `character ${place} is ${kindOf(character)} (${codePointOf(character)})`;
  }
  return undefined;
}

/** Returns the text without surrounding white space; empty when none of it is visible. */
export function visibleText(text: string): string {
  return VISIBLE.test(text) ? text.trim() : '';
}

function kindOf(character: string): string {
  if (BIDI.test(character)) return 'a character that changes the direction of text';
  return CONTROL.test(character) ? 'a control character' : 'invisible';
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
