// Names that show what they are: finds the character that hides, breaks the line or turns the direction,
// and texts that show nothing at all.

// Default ignorable: joiners, fillers, variation selectors, tags. U+2800 is a blank that counts as a symbol.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/u;
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/u;
const BIDI = /\p{Bidi_Control}/u;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

const PICTURE = /\p{Extended_Pictographic}/u;
const BEFORE_JOINED_PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
const BEFORE_SELECTOR = /[\p{Extended_Pictographic}\p{Emoji}]/u;
const JOINING_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u;

/**
 * The first character of a line of text that nobody can see, with its position (from 1, in code points)
 * and what it is; undefined when all of it shows. Joiners pass where writing needs them: between the
 * letters of scripts that join (Persian, the scripts of India) and inside a picture of several; so does
 * the selector that makes a picture of a character.
 */
export function hiddenCharacter(text: string): string | undefined {
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    if (!HIDDEN.test(character)) continue;
    const before = characters[index - 1] ?? '';
    const after = characters[index + 1] ?? '';
    if (!isNeeded(character, before, after)) {
      return `character ${index + 1} is ${kindOf(character)} (${codePointOf(character)})`;
    }
  }
  return undefined;
}

/** The text without white space around it; empty when nobody could see any of it. */
export function visibleText(text: string): string {
  return VISIBLE.test(text) ? text.trim() : '';
}

function isNeeded(character: string, before: string, after: string): boolean {
  if (character === '\ufe0f') return BEFORE_SELECTOR.test(before);
  if (character !== '\u200c' && character !== '\u200d') return false;
  if (JOINING_SCRIPT.test(before)) return JOINING_SCRIPT.test(after);
  return character === '\u200d' && BEFORE_JOINED_PICTURE.test(before) && PICTURE.test(after);
}

function kindOf(character: string): string {
  if (BIDI.test(character)) return 'one that changes the direction of writing';
  return CONTROL.test(character) ? 'a control character' : 'invisible';
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
