// Removes the comments of Obsidian (`%%…%%`) from a text before anything else is read from it.

/** Where code or a comment begins: a fence with what is before it on its line, an escape, backticks, `%%`. */
const token =
  /^([ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*)(`{3,}(?=[^`\n]*$)|~{3,})|\\[\\`]|(`+)|%%/gm;
const closingFence = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/gm;
/** Code inside a paragraph ends before the next block. */
const nextBlock = /\n[ \t]*(?:\n|[-*+>#]|\d{1,9}[.)]|`{3}|~{3})/g;
const quoteEnd = /\n(?![ \t]*>)/g;
const itemEnd = /\n(?=\S)/g;

/** Returns the place of the first match from a place on. Places only grow: the whole text is searched once. */
function finder(text: string, pattern: RegExp): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      pattern.lastIndex = from;
      found = pattern.exec(text)?.index ?? text.length;
      pattern.lastIndex = 0;
    }
    return found;
  };
}

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

/** Returns the first of the fences from an index on, and before a place, that closes another one. */
function closingOf(
  fences: readonly Fence[],
  from: number,
  { marks, limit }: { readonly marks: string; readonly limit: number },
): Fence | undefined {
  for (let at = from; (fences[at]?.start ?? limit) < limit; at += 1)
    if (fences[at]?.marks.startsWith(marks)) return fences[at];
  return undefined;
}

/** Returns the end of a code block that a fence opens; undefined for an indented fence without an end. */
function fenceEnds(text: string) {
  const closings = closingFences(text);
  const endOfQuote = finder(text, quoteEnd);
  const endOfItem = finder(text, itemEnd);
  let next = 0;
  return (from: number, prefix: string, fence: string): number | undefined => {
    const isInside = /\S/.test(prefix);
    const container = prefix.includes('>') ? endOfQuote : endOfItem;
    const limit = isInside ? container(from) : text.length;
    while ((closings[next]?.start ?? text.length) < from) next += 1;
    const closing = closingOf(closings, next, { marks: fence, limit });
    if (closing !== undefined) return closing.end;
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
    return end === undefined || end > blockAfter(index) ? undefined : end + run.length;
  };
}

export interface Uncommented {
  readonly text: string;
  /** Whether a comment without an end hides the rest of the text. */
  readonly isCut: boolean;
}

/** Returns a text without its comments. `%%` in code is no comment. Takes time in proportion to the text. */
export function withoutComments(text: string): Uncommented {
  const fenceEnd = fenceEnds(text);
  const codeEnd = codeEnds(text);
  const tokens = new RegExp(token);
  const parts: string[] = [];
  let kept = 0;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [whole, prefix = '', fence, run] = match;
    const after = tokens.lastIndex;
    if (fence !== undefined) tokens.lastIndex = fenceEnd(after, prefix, fence) ?? after;
    else if (run !== undefined) tokens.lastIndex = codeEnd(match.index, run) ?? after;
    else if (whole === '%%') {
      parts.push(text.slice(kept, match.index));
      const end = text.indexOf('%%', after);
      if (end < 0) return { text: parts.join(''), isCut: true };
      kept = end + 2;
      tokens.lastIndex = kept;
    }
  }
  return { text: parts.join('') + text.slice(kept), isCut: false };
}
