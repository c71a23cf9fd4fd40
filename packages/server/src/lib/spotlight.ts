// Marks a stranger's text all the way through, so that whoever feeds it to a model can tell it from orders.
import { randomBytes } from 'node:crypto';
import { signalsIn } from './signals.ts';
import type { Signal } from './signals.ts';

/** Of scripts that put no space between words. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}';
const other = `[^\\s${unspaced}]`;
/** One character of such a script, with others before it (punctuation is of no script); or 6 others. */
const piece = `(?:${other}{0,5}[${unspaced}]|${other}{6})`;
/** No stretch is longer without a mark. What is shorter is taken with the space behind it, in one go. */
const places = new RegExp(`${piece}{8}|${piece}{0,7}${other}{0,5}\\s+`, 'gu');

/**
 * A marker that stands in none of the texts. It is drawn anew for each answer: who wrote the text could not
 * know it, and so cannot pretend that the text ends somewhere (spotlighting by datamarking, arXiv 2403.14720).
 */
export function drawMarker(texts: readonly string[]): string {
  for (;;) {
    const marker = `~${randomBytes(6).toString('base64url').replaceAll(/[-_]/g, '0')}~`;
    if (!texts.some((text) => text.includes(marker))) return marker;
  }
}

/**
 * The text with the marker at its beginning, behind every space between words, and inside of what has no
 * spaces. Without the marker it is the text, byte for byte.
 */
export function marked(text: string, marker: string): string {
  return marker + text.replaceAll(places, (stretch) => stretch + marker);
}

export type Field = 'title' | 'content';
export type Texts = Readonly<Partial<Record<Field, string>>>;

export interface SpotlightRecord {
  readonly texts: Texts;
  /** What is known to be in a text already: looking for it takes far longer than marking. */
  readonly known?: Readonly<Partial<Record<Field, readonly Signal[]>>> | undefined;
}

export interface Spotlit {
  readonly marker: string;
  /** The same fields, marked. */
  readonly texts: Texts;
  readonly signals: (Signal & { readonly field: Field })[];
}

/** Marks the texts of one record, and looks for what is made for machines. Up to 0.5 ms for a hostile KiB. */
export function spotlight({ texts, known = {} }: SpotlightRecord): Spotlit {
  const fields = Object.entries(texts) as [Field, string][];
  const marker = drawMarker(fields.map(([, text]) => text));
  return {
    marker,
    texts: Object.fromEntries(fields.map(([field, text]) => [field, marked(text, marker)])),
    signals: fields.flatMap(([field, text]) =>
      (known[field] ?? signalsIn(text)).map((signal) => ({ field, ...signal })),
    ),
  };
}
