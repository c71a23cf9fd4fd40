// Code spans in a line of Markdown that are code regardless of the lines around it.
import { noteName } from './matches.ts';
import type { Match } from './matches.ts';

/** Opens code, binds tighter than code, or hides its beginning. */
const marks = /`+|\\[^`]?|~~~|<[a-z/!?]|\]\(|\]:|:\/\//gi;
const plainTarget = /\]\([^`()\\<"']*\)/y;
const openBracket = /(?<!\\)\[/;
const beginning = /^(?:[ \t>*+-]|\d{1,9}[.)])*\[/;
const plainAddress = /:\/\/(?=[^\s`]{0,200}(?:\s|$))/y;

interface Spans {
  readonly spans: readonly Match[];
  /** Whether the line certainly ends outside of code, regardless of the lines before it. */
  readonly certain: boolean;
}

/** Returns where the next run of exactly this many backticks begins; -1 when the line has none. */
function runOf(line: string, length: number, from: number): number {
  for (const { 0: run, index } of line.slice(from).matchAll(/`+/g))
    if (run.length === length) return from + index;
  return -1;
}

/** Returns the code span that a run of backticks opens. The cells of a table end inside of code spans too. */
function spanBehind(line: string, run: string, at: number): Match | undefined {
  const start = at + run.length;
  const end = runOf(line, run.length, start);
  return end < 0 || line.slice(start, end).includes('|') ? undefined : { start, end };
}

/** Whether a `]:` ends the name of a note, whose text is shown. The address of a link is not. */
function endsNote(line: string, at: number): boolean {
  return noteName.test(line.slice(line.lastIndexOf('[', at) + 1, at));
}

/** Where a label may begin that names the address of a link, which no reader sees. */
interface Labels {
  /** The first `[` of the line; a `]` before it ends a label of an earlier line. */
  readonly first: number;
  /** Whether it begins the line, behind the marks of quotes and lists: others name nothing. */
  readonly begins: boolean;
}

function labelsOf(line: string): Labels {
  const first = line.search(openBracket);
  return { first: first < 0 ? line.length : first, begins: beginning.test(line) };
}

/** Returns the end of what begins at a mark that opens no code; undefined when that is uncertain. */
function behind(line: string, mark: string, at: number, labels: Labels): number | undefined {
  if (mark.startsWith('\\')) return mark.length === 2 ? at + 2 : undefined;
  if (mark === ']:') {
    const isText = labels.first < at && (!labels.begins || endsNote(line, at));
    return isText ? at + mark.length : undefined;
  }
  const plain = mark === '](' ? plainTarget : plainAddress;
  plain.lastIndex = at;
  return plain.test(line) ? plain.lastIndex : undefined;
}

/** Returns the code spans of a line that begins outside of code. */
export function spansIn(line: string): Spans {
  const spans: Match[] = [];
  const labels = labelsOf(line);
  let found: RegExpExecArray | null;
  let next: number | undefined = 0;
  do {
    marks.lastIndex = next;
    found = marks.exec(line);
    if (found === null) return { spans, certain: true };
    const [mark] = found;
    if (mark.startsWith('`')) {
      const span = spanBehind(line, mark, found.index);
      if (span !== undefined) spans.push(span);
      next = span && span.end + mark.length;
    } else next = behind(line, mark, found.index, labels);
  } while (next !== undefined);
  return { spans, certain: false };
}
