// Colours: for people at a terminal, unless they ask for none.
import { styleText } from 'node:util';
import type { Terminal } from '../terminal.ts';

const formats = [
  'bold',
  'cyan',
  'dim',
  'green',
  'italic',
  'red',
  'strikethrough',
  'underline',
  'yellow',
] as const;

type Format = (typeof formats)[number];

/** Returns the text in a style, or as it is. */
export type Style = (format: Format, text: string) => string;

const applyStyle: Style = (format, text) => styleText(format, text, { validateStream: false });
const plain: Style = (_, text) => text;

/** The escape sequences that styles write: each begins or ends one. */
export const styleCodes: ReadonlySet<string> = new Set(
  formats.flatMap((format) => applyStyle(format, ' ').split(' ')),
);

/** Whether output has colours: at a terminal, unless NO_COLOR is set; FORCE_COLOR sets them elsewhere. */
function hasColours({ env }: Terminal, isTTY: boolean | undefined): boolean {
  const { NO_COLOR: none = '', FORCE_COLOR: forced = '', TERM: term = '' } = env;
  if (none !== '') return false;
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return isTTY === true && term !== 'dumb';
}

/** Returns the style with colours or without. */
export function styleWith(colours: boolean): Style {
  return colours ? applyStyle : plain;
}

/** Whether a style has colours. */
export function isStyled(style: Style): boolean {
  return style === applyStyle;
}

/** Returns the style of one of the two streams. */
export function styleOf(terminal: Terminal, stream: 'output' | 'errors'): Style {
  return styleWith(hasColours(terminal, terminal[stream].isTTY));
}
