// Signals: parts of an untrusted text that are for machines, not for readers. Hints, not a verdict.
import { hiddenLinksIn } from './hidden-links.ts';
import { instructionsIn } from './instructions.ts';
import { matchesOf } from './matches.ts';
import type { Match } from './matches.ts';
import { withoutCode } from './shown-code.ts';
import { isNeeded, unseenClass } from '../lib/visible-text.ts';

type Kind =
  | 'invisible_characters'
  | 'bidi_controls'
  | 'html_comments'
  | 'hidden_links'
  | 'instructions';

export interface Signal {
  readonly kind: Kind;
  readonly count: number;
  /** The range of the first match, in code points of the text. */
  readonly first: { readonly start: number; readonly end: number };
  /** The first match, at most 80 characters, with invisible characters written as \u{…}. */
  readonly sample: string;
}

const sampleMax = 80;
const spelledOut = new RegExp(`[${unseenClass}\\p{Co}]`, 'gu');
const bidi = /\p{Bidi_Control}+/gu;
/** Line breaks and tabs are legitimate; characters that change the direction are a kind of their own. */
const invisible = new RegExp(`(?:(?![\\t\\n\\r]|\\p{Bidi_Control})[${unseenClass}])+`, 'gu');

/** Finds runs of invisible characters, except those that writing needs. */
function invisibleIn(text: string): Match[] {
  return matchesOf(text, invisible).filter(({ start, end }) => {
    for (let at = start; at < end; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
      if (!isNeeded(text, at)) return true;
    return false;
  });
}

/** Not a pattern: it would search to the end of the text at every unclosed beginning. */
function commentsIn(text: string): Match[] {
  const found: Match[] = [];
  for (let start = text.indexOf('<!--'); start >= 0;) {
    const close = text.indexOf('-->', start + 4);
    const end = close < 0 ? text.length : close + 3;
    found.push({ start, end });
    start = text.indexOf('<!--', end);
  }
  return found;
}

/** Code that is shown contains no links and no comments. */
interface Looked {
  readonly text: string;
  /** A copy of the same length, without code that reads like them. */
  readonly prose: string;
}

const looks: readonly (readonly [Kind, (looked: Looked) => Match[]])[] = [
  ['invisible_characters', ({ text }) => invisibleIn(text)],
  ['bidi_controls', ({ text }) => matchesOf(text, bidi)],
  ['html_comments', ({ prose }) => commentsIn(prose)],
  ['hidden_links', ({ prose }) => hiddenLinksIn(prose)],
  ['instructions', ({ text }) => instructionsIn(text)],
];

function codePointsBefore(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; count += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

function spell(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function sampleOf(text: string, { start, end }: Match): string {
  const beginning = text
    .slice(start, Math.min(end, start + sampleMax))
    .replaceAll(spelledOut, spell);
  return beginning.toWellFormed().slice(0, sampleMax);
}

/** Returns the signals in a text, each kind at most once; an empty list when there are none. */
export function signalsIn(text: string): readonly Signal[] {
  const looked = { text, prose: withoutCode(text) };
  return looks.flatMap(([kind, look]) => {
    const found = look(looked);
    const [first] = found;
    if (first === undefined) return [];
    const start = codePointsBefore(text, first.start);
    const end =
      start + codePointsBefore(text.slice(first.start, first.end), first.end - first.start);
    return { kind, count: found.length, first: { start, end }, sample: sampleOf(text, first) };
  });
}
