// Merges two texts that were made from one, and compares them word by word.
import { diffArrays } from 'diff';
import { diff3Merge } from 'node-diff3';
import { wordPieces } from '@colophon/text/lib/word-pieces';
import type { Texts } from './text.ts';

type Region = { readonly ok: readonly string[] } | { readonly conflict: Conflict };

interface Conflict {
  readonly a: readonly string[];
  readonly o: readonly string[];
  readonly b: readonly string[];
}

export interface Merged {
  /** Both changes, and where they overlap both versions one after the other. */
  readonly texts: Texts;
  /** Whether no change overlaps another one. */
  readonly isClean: boolean;
}

/** A line with the empty ones after it: alone, these would match each other all over the text. */
const lines = /(?<=\n)(?=[^\n])/;
const words = /(?<=\s)(?=\S)/;
/** Merging words takes time that grows with the square of their number. */
const wordsMax = 2_000;

function regionsOf(base: string, mine: string, theirs: string, parts: RegExp): readonly Region[] {
  const options = { excludeFalseConflicts: true };
  const [a, o, b] = [mine.split(parts), base.split(parts), theirs.split(parts)] as const;
  return diff3Merge(a, o, b, options) as readonly Region[];
}

interface MergedText {
  readonly text: string;
  readonly isClean: boolean;
}

function mergeWords({ a, o, b }: Conflict): MergedText | undefined {
  const [mine, base, theirs] = [a, o, b].map((part) => part.join(''));
  if (mine === undefined || base === undefined || theirs === undefined) return undefined;
  if ([mine, base, theirs].some((text) => text.split(words).length > wordsMax)) return undefined;
  const regions = regionsOf(base, mine, theirs, words);
  const oks = regions.flatMap((region) => ('ok' in region ? [region.ok.join('')] : []));
  return oks.length < regions.length ? undefined : { text: oks.join(''), isClean: true };
}

/** Both versions of a passage, as paragraphs of their own. */
function bothOf({ a, b }: Conflict): string {
  const [mine, theirs] = [a.join(''), b.join('')];
  if (mine.trim() === '' || theirs.trim() === '') return mine.trim() === '' ? theirs : mine;
  return `${theirs.trimEnd()}\n\n${mine}`;
}

function mergeText(base: string, mine: string, theirs: string): MergedText {
  const parts = regionsOf(base, mine, theirs, lines).map((region) => {
    if ('ok' in region) return { text: region.ok.join(''), isClean: true };
    return mergeWords(region.conflict) ?? { text: bothOf(region.conflict), isClean: false };
  });
  return {
    text: parts.map(({ text }) => text).join(''),
    isClean: parts.every(({ isClean }) => isClean),
  };
}

function mergeTitle(base: string, mine: string, theirs: string): MergedText {
  if (mine === theirs || theirs === base) return { text: mine, isClean: true };
  return { text: mine === base ? theirs : mine, isClean: mine === base };
}

/** Merges two texts that were made from `base` (diff3). */
export function merge(base: Texts, mine: Texts, theirs: Texts): Merged {
  const title = mergeTitle(base.title, mine.title, theirs.title);
  const content = mergeText(base.content, mine.content, theirs.content);
  return {
    texts: { title: title.text, content: content.text },
    isClean: title.isClean && content.isClean,
  };
}

export interface Part {
  readonly text: string;
  /** Whose text has it; null for both. */
  readonly of: 'mine' | 'theirs' | null;
}

const compareMs = 1_000;

/** Compares two texts word by word; undefined if that takes too long. */
export function compare(theirs: string, mine: string): readonly Part[] | undefined {
  const parts = diffArrays([...wordPieces(theirs)], [...wordPieces(mine)], { timeout: compareMs });
  return parts?.map(({ value, added, removed }) => {
    const whose = removed ? 'theirs' : null;
    return { text: value.join(''), of: added ? 'mine' : whose };
  });
}
