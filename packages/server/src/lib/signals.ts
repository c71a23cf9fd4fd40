// What in a stranger's text is made for machines and not for eyes. Hints, never a verdict.
import { hiddenLinksIn } from './hidden-links.ts';
import { instructionsIn } from './instructions.ts';
import { matchesOf } from './matches.ts';
import type { Match } from './matches.ts';
import { withoutCode } from './shown-code.ts';
import { isNeeded, unseenClass } from './visible-text.ts';

type Kind =
  | 'invisible_characters'
  | 'bidi_controls'
  | 'html_comments'
  | 'hidden_links'
  | 'instructions';

export interface Signal {
  readonly kind: Kind;
  readonly count: number;
  /** Of the first one, in code points of the text. */
  readonly first: { readonly start: number; readonly end: number };
  /** The first one, at most 80 characters, with what cannot be seen spelled as \u{…}. */
  readonly sample: string;
}

const sampleMax = 80;
const spelledOut = new RegExp(`[${unseenClass}\\p{Co}]`, 'gu');
const bidi = /\p{Bidi_Control}+/gu;
/** Line breaks and tabs are no secret; those that turn the direction have a kind of their own. */
const invisible = new RegExp(`(?:(?![\\t\\n\\r]|\\p{Bidi_Control})[${unseenClass}])+`, 'gu');

/** Runs of characters that nobody sees, but for those that writing needs. */
function invisibleIn(text: string): Match[] {
  return matchesOf(text, invisible).filter(({ start, end }) => {
    for (let at = start; at < end; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
      if (!isNeeded(text, at)) return true;
    return false;
  });
}

/** By hand: a pattern would look to the end of the text at every beginning that has none. */
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

/** What is shown as code has no links and no comments. */
interface Looked {
  readonly text: string;
  /** The same in equal length, without what only reads like them. */
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

function spelled(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function sampleOf(text: string, { start, end }: Match): string {
  const beginning = text
    .slice(start, Math.min(end, start + sampleMax))
    .replaceAll(spelledOut, spelled);
  return beginning.toWellFormed().slice(0, sampleMax);
}

/** What was found of each kind, each kind once; nothing found: an empty list. */
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
