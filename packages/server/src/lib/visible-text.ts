// Texts that show what they are: finds what hides, breaks the line or turns the direction, and what shows nothing.

/**
 * What nobody sees, as the inside of a class of a regular expression with the flag `u`: controls, format
 * characters, joiners, fillers, variation selectors, tags. U+2800 is a blank that counts as a symbol.
 */
export const unseenClass = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;

/** Of private use is what each font shows as it likes: no part of a name. */
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

/** Where writing needs characters that nobody sees on their own. */
const NEEDS: readonly Need[] = [
  // Marks that show: signs of numbers and of the end of a verse, written before what they span.
  {
    of: /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u,
    behind: ANYTHING,
    before: ANYTHING,
  },
  // What makes a picture of a character, or a character of a picture.
  {
    of: /[\ufe0e\ufe0f]/,
    behind: /(?![0-9#*])[\p{Extended_Pictographic}\p{Emoji}]/u,
    before: ANYTHING,
  },
  { of: /[\ufe0e\ufe0f]/, behind: /[0-9#*]/, before: /\u20e3/ },
  { of: /[\u200c\u200d]/, behind: JOINING_SCRIPT, before: JOINING_SCRIPT },
  // A picture of several.
  {
    of: /\u200d/,
    behind: /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,
    before: /\p{Extended_Pictographic}/u,
  },
  // Forms of one ideograph. Those behind U+E013F are registered for none, and carry bytes.
  { of: /[\ufe00-\ufe02\u{e0100}-\u{e013f}]/u, behind: /\p{Script=Han}/u, before: ANYTHING },
  // Forms of Mongolian letters, and the gap before the last vowel.
  { of: /[\u180b-\u180d\u180f]/, behind: /[\u1820-\u18aa]/, before: ANYTHING },
  { of: /\u180e/, behind: /[\u180b-\u180d\u180f\u1820-\u18aa]/, before: /[\u1820-\u18aa]/ },
  // Where a line may break in scripts without spaces.
  { of: /\u200b/, behind: BROKEN_SCRIPT, before: BROKEN_SCRIPT },
];

/** England, Scotland and Wales: the only flags that are spelled with tags. */
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
 * Whether writing needs the unseen character that begins at a place (in UTF-16 units): joiners between
 * letters of scripts that join (Persian, the scripts of India) and inside a picture of several, what
 * chooses the form of the character before it, where a line may break in Thai, and the flags that are
 * spelled.
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
 * The first character of a line of text that nobody can see, with its position (from 1, in code points)
 * and what it is; undefined when all of it shows. What writing needs passes.
 */
export function hiddenCharacter(text: string): string | undefined {
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (isNeeded(text, index)) continue;
    const place = Array.from(text.slice(0, index)).length + 1;
    return `character ${place} is ${kindOf(character)} (${codePointOf(character)})`;
  }
  return undefined;
}

/** The text without white space around it; empty when nobody could see any of it. */
export function visibleText(text: string): string {
  return VISIBLE.test(text) ? text.trim() : '';
}

function kindOf(character: string): string {
  if (BIDI.test(character)) return 'one that changes the direction of writing';
  return CONTROL.test(character) ? 'a control character' : 'invisible';
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
