// Parts of a text between an opening and its end, found in time in proportion to the text.

interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the first match of a global pattern from a place on. Places only grow: the whole text is searched
 * once, and never again after no match.
 */
export function finder(text: string, pattern: RegExp): (from: number) => Place | undefined {
  const own = new RegExp(pattern);
  let found: Place | undefined = { start: -1, end: -1 };
  return (from) => {
    if (found === undefined || found.start >= from) return found;
    own.lastIndex = from;
    const match = own.exec(text);
    found = match === null ? undefined : { start: match.index, end: own.lastIndex };
    return found;
  };
}

export interface Pairs {
  /** A global pattern. */
  readonly opening: RegExp;
  /** The global pattern of the end that belongs to an opening. */
  readonly closingOf: (opened: RegExpExecArray) => RegExp;
}

export interface Pair {
  readonly opened: RegExpExecArray;
  /** Undefined for an opening without an end. */
  readonly inner: string | undefined;
  readonly whole: string;
}

function pairFinder(text: string, { closingOf }: Pairs) {
  const finders = new Map<RegExp, ReturnType<typeof finder>>();
  return (opened: RegExpExecArray): Pair => {
    const closing = closingOf(opened);
    const find = finders.get(closing) ?? finder(text, closing);
    finders.set(closing, find);
    const from = opened.index + opened[0].length;
    const end = find(from);
    if (end === undefined) return { opened, inner: undefined, whole: opened[0] };
    const inner = text.slice(from, end.start);
    return { opened, inner, whole: text.slice(opened.index, end.end) };
  };
}

/**
 * Returns a text in which each opening and what follows, up to its end, is replaced. A pair stays where
 * `replacement` returns undefined. `outside` changes the text between the replaced pairs.
 */
export function replacePairs(
  text: string,
  pairs: Pairs,
  replacement: (pair: Pair) => string | undefined,
  outside: (text: string) => string = (between) => between,
): string {
  const openings = new RegExp(pairs.opening);
  const pairOf = pairFinder(text, pairs);
  const parts: string[] = [];
  let kept = 0;
  for (let opened = openings.exec(text); opened !== null; opened = openings.exec(text)) {
    const pair = pairOf(opened);
    openings.lastIndex = opened.index + pair.whole.length;
    const replaced = replacement(pair);
    if (replaced === undefined) continue;
    parts.push(outside(text.slice(kept, opened.index)), replaced);
    kept = openings.lastIndex;
  }
  return parts.join('') + outside(text.slice(kept));
}
