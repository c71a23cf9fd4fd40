// Finds links that are invisible or misleading, and notes and definitions that no page shows.
import markdownIt from 'markdown-it';
import { noteName } from './matches.ts';
import type { Match } from './matches.ts';
import { hostToShow } from '../named-host.ts';
import { unseenClass } from '../lib/visible-text.ts';

const { unescapeAll, normalizeReference } = markdownIt().utils;

/** `[name]:` at the beginning of a line or of a note, also inside of quotes and lists. */
const beginnings =
  /(?:^|(?<=\[\^[^\s\]]{1,99}\]:))((?:[ \t>*+-]|\d{1,9}[.)]){0,40})(\[([^[\]]{1,999})\]:)/gmu;
/** An address, and possibly a title that ends on its line or continues on the next one. */
const definitionText =
  /^(?:<[^<>]*>|[^\s<]\S*)(?:\s+(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\((?:\\.|[^()\\])*\)?))?$/u;

/** The lengths of the parts are bounded so that the search stays linear. */
const images =
  /(?<!(?<!\\)\\)!\[([^[\]\n]{0,999})\]\(\s{0,8}<?([^\s<>()]{0,2048})>?(?:\s[^()\n]{0,999})?\)/gu;
const labels =
  /(?<!(?<!\\)\\)(!?)\[([^[\]\n]{0,999})\](?=(\(\s{0,8}<?([^\s<>()]{1,2048}))?)(?=(?:\[([^[\]\n]{0,999})\])?)/gu;

const unseen = new RegExp(`[${unseenClass}]`, 'gu');
const seen = /[\p{L}\p{N}\p{S}\p{P}\p{Co}]/u;
const emphasis = /[*`]|~~/g;

/** A definition by name: its position and, for links, the address. */
interface Definition extends Match {
  readonly name: string;
  /** null for a note: its content is text. */
  readonly address: string | null;
  /** Where its own text begins. */
  readonly text: number;
}

/** Names of links ignore case and the amount of white space; names of notes are exact. */
function nameOf(label: string): string {
  return noteName.test(label) ? label : normalizeReference(label);
}

/** Only this much of a longer address is examined: scheme and host are at its beginning. */
const addressMax = 2048;

function addressOf(said: string): string {
  const [, bracketed, bare = ''] = /^(?:<([^<>]*)|(\S+))/u.exec(said.slice(0, addressMax)) ?? [];
  return unescapeAll(bracketed ?? bare);
}

function isDefinition(label: string, said: string): boolean {
  // The text of a note may follow after empty lines.
  if (noteName.test(label)) return true;
  return said !== '' && label.trim() !== '' && definitionText.test(said);
}

/**
 * Returns where the line of a position ends, with and without trailing white space. Computed once for each
 * line.
 */
function lineEnds(
  prose: string,
): (place: number) => { readonly end: number; readonly shown: number } {
  let [end, shown] = [-1, -1];
  return (place) => {
    if (place > end) {
      const feed = prose.indexOf('\n', place);
      end = feed < 0 ? prose.length : feed;
      shown = place + prose.slice(place, end).trimEnd().length;
    }
    return { end, shown: Math.max(place, shown) };
  };
}

/** Returns what a name is defined as: the rest of its line, or the next line when the rest is empty. */
function saidBehind(prose: string, place: number, endOf: ReturnType<typeof lineEnds>): Match {
  const next = /[ \t]*\n[ \t>]*(?=[^\s>])/y;
  next.lastIndex = place;
  const start = next.test(prose) ? next.lastIndex : place;
  return { start, end: endOf(start).shown };
}

function definitionsIn(prose: string): Definition[] {
  const endOf = lineEnds(prose);
  // Notes may begin inside of notes. The definition of a link takes the rest of its line, so that each line
  // is searched once.
  let lineOfLink = -1;
  return Array.from(prose.matchAll(beginnings)).flatMap((found) => {
    const { index, 1: before = '', 2: head = '', 3: label = '' } = found;
    const start = index + before.length;
    const text = start + head.length;
    if (start < lineOfLink) return [];
    if (!noteName.test(label)) lineOfLink = endOf(start).end;
    const place = saidBehind(prose, text, endOf);
    const said = prose.slice(place.start, place.end).trimStart();
    if (!isDefinition(label, said)) return [];
    const stretch = { start, end: place.end, name: nameOf(label) };
    return noteName.test(label)
      ? { ...stretch, address: null, text }
      : { ...stretch, address: addressOf(said), text: place.end };
  });
}

/** Returns a copy of the same length without these ranges. */
function blankOut(text: string, stretches: Iterable<Match>): string {
  let copy = '';
  let done = 0;
  for (const { start, end } of stretches) {
    if (end <= done) continue;
    const from = Math.max(start, done);
    copy += text.slice(done, from) + ' '.repeat(end - from);
    done = end;
  }
  return copy + text.slice(done);
}

/** Returns what a reader sees of a picture: its alternative text, or the picture when it can be loaded. */
function shownImage(whole: string, alt: string, address: string): string {
  const words = alt.trim() === '' && /^(?:https?:|\/media\/)/i.test(address) ? '▣' : alt;
  return words.padEnd(whole.length);
}

/**
 * Returns the running text in the same length: without definitions, pictures as readers see them, each
 * paragraph on one line.
 */
function runningText(prose: string, definitions: readonly Definition[]): string {
  const beginningsOf = definitions.map(({ start, text }) => ({ start, end: text }));
  return blankOut(prose, beginningsOf)
    .replaceAll(images, shownImage)
    .replaceAll(/\n(?![ \t]*\n)/g, ' ');
}

interface Label extends Match {
  /** The definition that it refers to, if there is one. */
  readonly definition: Definition | undefined;
  /** The target of the link; undefined when it has none. */
  readonly address: string | undefined;
  readonly words: string;
  readonly isImage: boolean;
}

type Definitions = ReadonlyMap<string, Definition>;

function labelOf(found: RegExpExecArray, definitions: Definitions): Label {
  const [whole, image, words = '', target, address = '', second] = found;
  const start = found.index;
  const end = start + whole.length;
  const label = { start, words, isImage: image === '!' };
  if (target !== undefined) {
    const to = unescapeAll(address);
    return { ...label, end: end + target.length, definition: undefined, address: to };
  }
  const definition = definitions.size === 0 ? undefined : definitions.get(nameOf(second || words));
  const to = definition?.address ?? undefined;
  const isWhole = to !== undefined && second !== undefined;
  return { ...label, end: isWhole ? end + second.length + 2 : end, definition, address: to };
}

function labelsIn(text: string, definitions: Definitions): Label[] {
  const found: Label[] = [];
  let done = 0;
  for (const match of text.matchAll(labels)) {
    if (match.index < done) continue;
    const label = labelOf(match, definitions);
    done = label.end;
    found.push(label);
  }
  return found;
}

/** Whether a reader sees the link and its target. */
function isOpen({ address, words, isImage }: Label): boolean {
  if (address === undefined || isImage) return true;
  const shown = unescapeAll(words.replaceAll(emphasis, ''));
  return seen.test(shown.replaceAll(unseen, '')) && hostToShow(shown, address) === undefined;
}

/**
 * Finds links that are invisible or misleading, and notes and definitions that are unused or whose name is
 * already taken: each can contain text that no reader sees. Takes Markdown with line feeds, in which code
 * contains nothing that reads like one of them (see `withoutCode`).
 */
export function hiddenLinksIn(prose: string): Match[] {
  const all = definitionsIn(prose);
  const first = new Map<string, Definition>();
  for (const one of all) if (!first.has(one.name)) first.set(one.name, one);
  const found = labelsIn(runningText(prose, all), first);
  const used = new Set(found.map(({ definition }) => definition));
  return [
    ...found.filter((label) => !isOpen(label)),
    ...all.filter((one) => !used.has(one)),
  ].toSorted((left, right) => left.start - right.start);
}
