// Removes comments from Markdown before anything else is read from it: of HTML, and of Obsidian (`%%…%%`).
import { indentedCode } from './indented-code.ts';
import { finder } from './paired.ts';

/**
 * Where code or a comment begins: a fence or `<!--` with what is before it on its line, an escape, backticks, a
 * comment inside a line.
 */
const token =
  /^([ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*)(`{3,}(?=[^`\n]*$)|~{3,}|<!--)|\\[\\`<]|(`+)|%%|<!--/gm;
const closingFence = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/gm;
/** Code inside a paragraph ends before the next block. */
const nextBlock = /\n[ \t]*(?:\n|[-*+>#]|\d{1,9}[.)]|`{3}|~{3})/g;
const quoteEnd = /\n(?![ \t]*>)/g;
const itemEnd = /\n(?=\S)/g;

interface Fence {
  readonly start: number;
  readonly end: number;
  readonly marks: string;
}

function closingFences(text: string): readonly Fence[] {
  return [...text.matchAll(closingFence)].map(({ index, 0: whole, 1: marks = '' }) => ({
    start: index,
    end: index + whole.length,
    marks,
  }));
}

/**
 * Returns a function that answers the first of the fences from an index on that closes one with these marks. Indexes only
 * grow: for each kind of marks, the fences are searched once.
 */
function closings(fences: readonly Fence[]) {
  const reached = new Map<string, number>();
  return (from: number, marks: string): Fence | undefined => {
    let at = Math.max(from, reached.get(marks) ?? 0);
    while (fences[at]?.marks.startsWith(marks) === false) at += 1;
    reached.set(marks, at);
    return fences[at];
  };
}

/** Returns the end of a code block that a fence opens; undefined for an indented fence without an end. */
function fenceEnds(text: string) {
  const fences = closingFences(text);
  const closingOf = closings(fences);
  const endOfQuote = finder(text, quoteEnd);
  const endOfItem = finder(text, itemEnd);
  const endOfContainer = (prefix: string, from: number) =>
    (prefix.includes('>') ? endOfQuote : endOfItem)(from)?.start ?? text.length;
  let next = 0;
  return (from: number, prefix: string, fence: string): number | undefined => {
    const isInside = /\S/.test(prefix);
    const limit = isInside ? endOfContainer(prefix, from) : text.length;
    while ((fences[next]?.start ?? text.length) < from) next += 1;
    const closing = closingOf(next, fence);
    if (closing !== undefined && closing.start < limit) return closing.end;
    return isInside || prefix === '' ? limit : undefined;
  };
}

/** Returns the end of code between backticks; undefined for backticks without an end. */
function codeEnds(text: string) {
  const followers = new Map<number, number>();
  const latest = new Map<number, number>();
  for (const { index, 0: run } of [...text.matchAll(/`+/g)].toReversed()) {
    const follower = latest.get(run.length);
    if (follower !== undefined) followers.set(index, follower);
    latest.set(run.length, index);
  }
  const blockAfter = finder(text, nextBlock);
  return (index: number, run: string): number | undefined => {
    const end = followers.get(index);
    const block = blockAfter(index)?.start ?? text.length;
    return end === undefined || end > block ? undefined : end + run.length;
  };
}

type Mark = '%%' | '<!--';

export interface Uncommented {
  readonly text: string;
  /** The mark of a comment without an end, which hides the rest of the text. */
  readonly cutBy: Mark | undefined;
}

/** Returns the end of a comment whose opening ends at a place; undefined for a comment without an end. */
function commentEnds(text: string) {
  let isEndless = false;
  return (after: number, mark: Mark): number | undefined => {
    // `<!-->` and `<!--->` are whole comments.
    const short = mark === '<!--' ? /-?>/y : undefined;
    if (short !== undefined) short.lastIndex = after;
    if (short?.test(text) === true) return short.lastIndex;
    const close = mark === '%%' ? mark : '-->';
    const end = isEndless ? -1 : text.indexOf(close, after);
    if (mark === '<!--') isEndless ||= end < 0;
    return end < 0 ? undefined : end + close.length;
  };
}

interface Token {
  readonly start: number;
  readonly end: number;
  /** What is before a fence or a comment, if it is the first on its line. */
  readonly prefix: string | undefined;
  readonly fence: string | undefined;
  readonly run: string | undefined;
  readonly mark: Mark | undefined;
}

function tokenOf({ index, 0: whole, 1: prefix, 2: first, 3: run }: RegExpExecArray): Token {
  const opening = first ?? whole;
  const mark = opening === '<!--' || opening === '%%' ? opening : undefined;
  const end = index + whole.length;
  const fence = mark === undefined ? first : undefined;
  return { start: end - opening.length, end, prefix, fence, run, mark };
}

interface Ending {
  /** The end of the code or comment; undefined for one without an end. */
  readonly after: number | undefined;
  /** Whether the rest of the text belongs to the comment. */
  readonly isCut: boolean;
}

function endings(text: string) {
  const fenceEnd = fenceEnds(text);
  const codeEnd = codeEnds(text);
  const commentEnd = commentEnds(text);
  return ({ start, end, prefix, fence, run, mark }: Token): Ending => {
    if (fence !== undefined) return { after: fenceEnd(end, prefix ?? '', fence), isCut: false };
    if (run !== undefined) return { after: codeEnd(start, run), isCut: false };
    const after = mark === undefined ? undefined : commentEnd(end, mark);
    const isHiding = mark === '%%' || (mark === '<!--' && prefix !== undefined);
    return { after, isCut: isHiding && after === undefined };
  };
}

/**
 * Returns Markdown without its comments. A mark in code is not a comment. An HTML comment without an end is one
 * only at the start of a line. Takes time in proportion to the text.
 */
export function withoutComments(text: string, isObsidian: boolean): Uncommented {
  const endOf = endings(text);
  const isIndented = indentedCode(text);
  const isText = ({ start, mark }: Token) => (mark === '%%' ? !isObsidian : isIndented(start));
  const tokens = new RegExp(token);
  const parts: string[] = [];
  let kept = 0;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const found = tokenOf(match);
    if (isText(found)) continue;
    const { after, isCut } = endOf(found);
    const { start, mark } = found;
    if (isCut) return { text: parts.join('') + text.slice(kept, start), cutBy: mark };
    if (after !== undefined) tokens.lastIndex = after;
    if (after === undefined || mark === undefined) continue;
    parts.push(text.slice(kept, start));
    kept = after;
  }
  return { text: parts.join('') + text.slice(kept), cutBy: undefined };
}
