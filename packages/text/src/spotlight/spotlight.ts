// Marks an untrusted text throughout, so that a language model can tell it from instructions.
import { randomBytes } from 'node:crypto';
import { signalsIn } from '../signals/signals.ts';
import type { Signal } from '../signals/signals.ts';

/** Scripts that put no space between words. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}';
const other = `[^\\s${unspaced}]`;
/** One character of such a script, with others before it (punctuation belongs to no script); or 6 others. */
const piece = `(?:${other}{0,5}[${unspaced}]|${other}{6})`;
/** The longest stretch without a mark. A shorter one is matched together with the space after it. */
const places = new RegExp(`${piece}{8}|${piece}{0,7}${other}{0,5}\\s+`, 'gu');

/**
 * Returns a marker that occurs in none of the texts. It is drawn for each response, so the author of a text
 * cannot know it and cannot fake the end of the text (spotlighting by datamarking, arXiv 2403.14720).
 */
export function drawMarker(texts: readonly string[]): string {
  for (;;) {
    const marker = `~${randomBytes(6).toString('base64url').replaceAll(/[-_]/g, '0')}~`;
    if (!texts.some((text) => text.includes(marker))) return marker;
  }
}

/**
 * Returns the text with the marker at its beginning, after every space between words, and inside of stretches
 * without spaces. Removing the marker gives the original text, byte for byte.
 */
export function insertMarker(text: string, marker: string): string {
  return marker + text.replaceAll(places, (stretch) => stretch + marker);
}

export type Field = 'title' | 'content';
export type Texts = Readonly<Partial<Record<Field, string>>>;

export interface SpotlightRecord {
  readonly texts: Texts;
  /** Signals of the texts that are already known: finding them takes far longer than marking. */
  readonly known?: Readonly<Partial<Record<Field, readonly Signal[]>>> | undefined;
}

export interface Spotlit {
  readonly marker: string;
  /** The same fields, marked. */
  readonly texts: Texts;
  readonly signals: (Signal & { readonly field: Field })[];
}

/** Marks the texts of one record and finds their signals. Takes up to 0.5 ms for each KiB of hostile text. */
export function spotlight({ texts, known = {} }: SpotlightRecord): Spotlit {
  const fields = Object.entries(texts) as [Field, string][];
  const marker = drawMarker(fields.map(([, text]) => text));
  return {
    marker,
    texts: Object.fromEntries(fields.map(([field, text]) => [field, insertMarker(text, marker)])),
    signals: fields.flatMap(([field, text]) =>
      (known[field] ?? signalsIn(text)).map((signal) => ({ field, ...signal })),
    ),
  };
}
