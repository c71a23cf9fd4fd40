// Code in Markdown: links and comments in it are shown as they were written.
import { spansIn } from './code-spans.ts';
import type { Match } from './matches.ts';

/** A line that opens or closes a code block, possibly inside of quotes and lists. */
const fenceAnywhere = /^[\t >*+\-\d.)]*(?:`{3,}[^`]*$|~{3,})/;
/** A line with a `|` may be the head of a table. A run of marks is matched whole, not again in parts. */
const fence = /^( {0,3})(`{3,}(?!`)|~{3,}(?!~))[^|]*$/;
const blank = /^[ \t]*$/;
/** Begins neither a list nor a quote nor anything else that contains blocks. */
const flush = /^[\p{L}#]/u;
const indented = /^(?: {4}|\t)/;

interface Lines {
  readonly text: string;
  readonly starts: readonly number[];
}

function linesOf(text: string): Lines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return { text, starts };
}

function startOf({ text, starts }: Lines, number: number): number {
  return starts[number] ?? text.length + 1;
}

function lineOf(lines: Lines, number: number): string {
  return lines.text.slice(startOf(lines, number), startOf(lines, number + 1) - 1);
}

function closes(line: string, marks: string): boolean {
  const run = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1] ?? '';
  return run.startsWith(marks);
}

/**
 * Returns the line that closes a block at the left margin, or the index after the last line when none closes
 * it.
 */
function closingLine(lines: Lines, from: number, marks: string): number {
  let at = from;
  while (at < lines.starts.length && !closes(lineOf(lines, at), marks)) at += 1;
  return at;
}

/**
 * For a block that may be in a list: every line must be in the list too. Returns undefined when one may not
 * be.
 */
function indentedClosingLine(lines: Lines, from: number, opening: string): number | undefined {
  const [, indent = '', marks = ''] = fence.exec(opening) ?? [];
  for (let at = from; at < lines.starts.length; at += 1) {
    const line = lineOf(lines, at);
    if (blank.test(line)) continue;
    if (!line.startsWith(indent)) return undefined;
    if (!fenceAnywhere.test(line)) continue;
    const rest = line.slice(indent.length);
    return !rest.startsWith(' ') && closes(rest, marks) ? at : undefined;
  }
  return undefined;
}

/** Returns the line that closes the block opened in line `from`; undefined when that is uncertain. */
function closingLineOf(lines: Lines, from: number): number | undefined {
  const opening = lineOf(lines, from);
  const [, indent, marks] = fence.exec(opening) ?? [];
  if (indent === undefined || marks === undefined) return undefined;
  return indent === ''
    ? closingLine(lines, from + 1, marks)
    : indentedClosingLine(lines, from + 1, opening);
}

/** The state between lines. */
interface Walk {
  readonly lines: Lines;
  readonly found: Match[];
  /** At the left margin, where no list continues. */
  outside: boolean;
  /**
   * About the lines since the last empty one: whether there are any, whether all are flush, and whether none
   * ends in code.
   */
  chunk: { readonly open: boolean; readonly flush: boolean; readonly certain: boolean };
}

const noLines = { open: false, flush: true, certain: true };

/** Returns the last line of the block; undefined from the point where nothing is certain. */
function walkBlock(walk: Walk, number: number): number | undefined {
  const { lines, found } = walk;
  const close = closingLineOf(lines, number);
  if (close === undefined) return undefined;
  const line = lineOf(lines, number);
  found.push({ start: startOf(lines, number) + line.length, end: startOf(lines, close) - 1 });
  walk.outside = !line.startsWith(' ');
  walk.chunk = noLines;
  return close;
}

function walkText(walk: Walk, line: string, start: number): void {
  const { chunk, found } = walk;
  const { spans, certain } = chunk.certain ? spansIn(line) : { spans: [], certain: false };
  for (const span of spans) found.push({ start: start + span.start, end: start + span.end });
  walk.chunk = { open: true, flush: chunk.flush && flush.test(line), certain };
}

function walkLine(walk: Walk, line: string, start: number): void {
  const { chunk, found } = walk;
  if (blank.test(line)) {
    if (chunk.open) walk.outside = chunk.flush;
    walk.chunk = noLines;
  } else if (!chunk.open && walk.outside && indented.test(line)) {
    found.push({ start, end: start + line.length });
  } else walkText(walk, line, start);
}

/**
 * Returns ranges that are certainly code. From the first line where lists and quotes decide, nothing is taken
 * for code.
 */
function codeIn(text: string): Match[] {
  const walk: Walk = { lines: linesOf(text), found: [], outside: true, chunk: noLines };
  const { lines, found } = walk;
  for (let number = 0; number < lines.starts.length; number += 1) {
    const line = lineOf(lines, number);
    if (fenceAnywhere.test(line)) {
      const close = walkBlock(walk, number);
      if (close === undefined) return found;
      number = close;
    } else walkLine(walk, line, startOf(lines, number));
  }
  return found;
}

/**
 * Returns a copy of the same length in which nothing inside of code reads like a link, a tag, an entity or an
 * escape, and every line ends with a line feed. Uncertain code is left unchanged.
 */
export function withoutCode(markdown: string): string {
  const text = markdown.replaceAll('\r\n', ' \n').replaceAll('\r', '\n');
  let copy = '';
  let done = 0;
  for (const { start, end } of codeIn(text)) {
    copy += text.slice(done, start) + text.slice(start, end).replaceAll(/[[\]<>&\\!]/g, '·');
    done = Math.max(done, end);
  }
  return copy + text.slice(done);
}
