// Code inside of a line of Markdown, where no reading of the lines around it can make it anything else.
import type { Match } from './matches.ts';

/** What opens code, binds tighter than it does, or hides its beginning. */
const marks = /`+|\\[^`]?|~~~|<[a-z/!?]|\]\(|:\/\//gi;
const plainTarget = /\]\([^`()\\<"']*\)/y;
const plainAddress = /:\/\/(?=[^\s`]{0,200}(?:\s|$))/y;

interface Spans {
  readonly spans: readonly Match[];
  /** Whether the line surely ends outside of code, however the lines before it are read. */
  readonly certain: boolean;
}

/** Where the next run of backticks of this very length begins; -1 where the line has none. */
function runOf(line: string, length: number, from: number): number {
  for (const { 0: run, index } of line.slice(from).matchAll(/`+/g))
    if (run.length === length) return from + index;
  return -1;
}

/** The code that a run of backticks opens. Lines of tables end their cells inside of code, too. */
function spanBehind(line: string, run: string, at: number): Match | undefined {
  const start = at + run.length;
  const end = runOf(line, run.length, start);
  return end < 0 || line.slice(start, end).includes('|') ? undefined : { start, end };
}

/** Where what begins at a mark that opens no code is over; undefined where that is not plain to see. */
function behind(line: string, mark: string, at: number): number | undefined {
  if (mark.startsWith('\\')) return mark.length === 2 ? at + 2 : undefined;
  const plain = mark === '](' ? plainTarget : plainAddress;
  plain.lastIndex = at;
  return plain.test(line) ? plain.lastIndex : undefined;
}

/** Code in a line that begins outside of code. */
export function spansIn(line: string): Spans {
  const spans: Match[] = [];
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
    } else next = behind(line, mark, found.index);
  } while (next !== undefined);
  return { spans, certain: false };
}
