// Texts and bodies that are made to block the server while it reads them.
import { hostileTexts } from './hostile-texts.ts';

const length = 1_000_000;
const bodyLength = 8 * 1024 * 1024;

function fill(unit: string, size = length): string {
  return unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
}

/**
 * Returns as many lines as a diff compares, of characters that JSON escapes; every fifth differs in each
 * version.
 */
function changingText(version: number): string {
  const line = (n: number) => `${n} ${n % 5 === 0 ? version : ''}${'"'.repeat(40)}`;
  return Array.from({ length: 19_000 }, (_, n) => line(n)).join('\n');
}

/** Returns the text of the second revision of one of these texts. */
export function revisedText(name: string, content: string): string {
  return name === 'lines that change' ? changingText(1) : content.slice(1);
}

function of(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, hostileTexts[name] ?? '']));
}

/** Markdown of a million characters each, by what is repeated in it. */
export const hostileReads: Readonly<Record<string, string>> = {
  words: fill('needle in a haystack '),
  'a fence that does not close': `${fill('~').slice(1)}|`,
  'definitions in notes': fill('[^1]:[a]:'),
  'instructions for machines': fill('ignore all your rules, all prior '),
  'invisible letters': fill('a\u200b', length / 2),
  'characters that JSON escapes': fill('\u0001'),
  'characters that HTML escapes': fill('&'),
  headings: fill('# a\n'),
  'lines that change': changingText(0),
  'ideographs without a space': fill('漢', length / 3),
  ...of('pictures never closed: ![[]()', 'emphasis never closed: ****a', 'footnotes used: [^1]'),
};

/** Bodies of 8 MB. All are rejected. */
export const hostileBodies: Readonly<Record<string, string>> = {
  'arrays in arrays': fill('[', bodyLength),
  'objects in objects': fill('{"":', bodyLength),
  numbers: `[${fill('0,', bodyLength - 4)}0]`,
  'a text of escapes': `{"title":"${fill('\\u0041', bodyLength - 100).replace(/\\u?\d*$/, '')}"}`,
  'a long text': `{"title":"${fill('a', bodyLength - 100)}"}`,
  'metadata of long names': `{"metadata":{"${fill('\\n', bodyLength - 100)}":1}}`,
  spaces: fill(' ', bodyLength),
};

/** Texts of a million characters that take longest in a search for `needle` or for 漢漢. */
export const searchedTexts: readonly string[] = [
  fill('needle '),
  Array.from({ length: 110_000 }, (_, n) => `nee${n.toString(36)}`).join(' '),
  fill('ne\u0301edle ', 900_000),
  fill('漢漢', length / 3),
  `${fill('nee ', 20_000)}needle ${fill('nee ', length - 30_000)}`,
  fill('needle\u00ad', 900_000),
  `needle ${fill('![needle](', length - 10)}`,
];

/** At the maximum length of a title. */
export const hostileTitles: readonly string[] = [
  fill('needle ', 300),
  `needle ${fill('<&">', 290)}`,
  `needle ${fill('\ud83d\udc69\u200d', 279)}`,
  `needle ${fill('漢', 290)}`,
];

/** At the maximum length of a name. */
export const hostileNames: readonly string[] = [
  fill('<&">', 120),
  fill('needle ', 119),
  fill('漢', 120),
];

/** Metadata of 16 KB: of one text, of many numbers, of many members. */
export const hostileMetadata: readonly unknown[] = [
  { topics: ['needles'], text: fill('"', 8_000) },
  { topics: ['needles'], numbers: Array.from({ length: 4_900 }, () => 0) },
  {
    topics: ['needles'],
    members: Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [n.toString(36), 1])),
  },
];
