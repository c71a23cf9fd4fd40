// Texts that are made to slow an expression down: units to repeat, with something in front and behind.
import { effort } from '../effort.ts';
import type { Pump } from './linear.ts';

/** One of each sort that expressions tell apart. */
const usual = [...' \n\ta0A.-/<"[](`~*\\|:é漢', '\u200b', '\u0301', '\u0301\u0316', '\u{1f600}'];
/** What expressions seldom match: it makes them try everything else. */
const tails = ['', '!', '\n'];
const prefixesMax = 2;
const wordsMax = 30;
const excludedMax = 4;
const pairedMax = effort(10, 24);

/** The literal runs of an expression's source: words, marks, and escaped marks. */
function wordsOf(source: string): string[] {
  const plain = source
    .replaceAll(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[bBdDsSwW]/gi, ' ')
    .replaceAll(/\(\?(?:<?[=!]|:|<\w+>)|\{\d+,?\d*\}/g, ' ');
  const words = plain.match(/(?:\\[^a-z0-9]|[^\s()[\]{}*+?|^$.\\])+/gi) ?? [];
  const whole = words.map((word) => word.replaceAll('\\', ''));
  return [...new Set([...whole, ...whole.flatMap((word) => [...word])])].filter(
    (word) => word !== '',
  );
}

/** What a negated class excludes: it fails there, after it has taken everything before. */
function excludedBy(source: string): string[] {
  const inside = Array.from(source.matchAll(/\[\^([^\]]{1,40})\]/g), ([, found = '']) => found);
  const plain = inside
    .join('')
    .replaceAll(/\\[pP]\{[^}]*\}|\\u\{?[0-9a-f]+\}?|\\?[a-z0-9\\]/gi, '');
  return [...new Set(plain)].slice(0, excludedMax);
}

/** For an expression: its own words and the usual characters, alone and in pairs. */
export function* pumpsFor({ source }: RegExp): Generator<Pump> {
  const own = wordsOf(source).slice(0, wordsMax);
  const units = [...new Set([...own, ...usual])];
  const excluded = excludedBy(source);
  for (const unit of units) {
    for (const tail of [...tails, ...excluded]) yield { prefix: '', unit, tail };
    for (const prefix of [...own.slice(0, prefixesMax), 'a'])
      for (const tail of tails) yield { prefix, unit, tail };
  }
  const paired = [...new Set([...own.slice(0, pairedMax - 4), ...' \na0'])].slice(0, pairedMax);
  for (const first of paired)
    for (const second of paired) yield { prefix: '', unit: first + second, tail: '!' };
}
