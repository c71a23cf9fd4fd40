// Participants' text for a terminal: control characters and invisible direction marks become visible.
import { styleCodes } from './style.ts';

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

/** What can be a colour of this program: one code, of two digits at most. */
const colours = /(\u001b\[\d{1,2}m)/;

/**
 * Returns lines as one printable text, with their colours. Participants' texts are printable before; this is for what
 * only the service writes, such as ids: a service that is not what it seems could put escape sequences there, such as
 * one that hides text.
 */
export function printableLines(lines: readonly string[]): string {
  const parts = lines.join('\n').split(colours);
  return parts.map((part) => (styleCodes.has(part) ? part : printable(part))).join('');
}

/** Returns printable text on one line. */
export function oneLine(text: string): string {
  return printable(text)
    .replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
    .trim();
}
