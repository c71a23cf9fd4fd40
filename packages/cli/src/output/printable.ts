// Participants' text for a terminal: control characters and invisible direction marks become visible.

/** Controls, direction marks, line separators, invisible marks, tag characters and unpaired surrogates. */
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;

const visible = (character: string) =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/**
 * Returns text that a terminal shows and does not act on: escape sequences and other control characters are
 * written as `<U+001B>`. Line breaks and tabs stay.
 */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\t', '    ').replaceAll(unsafe, visible);
}

/** Returns printable text on one line. */
export function oneLine(text: string): string {
  return printable(text)
    .replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
    .trim();
}
