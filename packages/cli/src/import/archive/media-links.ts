// Links to media of a service inside a text: found, and rewritten to the addresses of the same files elsewhere.

interface Link {
  readonly start: number;
  readonly end: number;
  readonly id: string;
}

const pattern = /\/media\/([0-9A-HJKMNP-TV-Z]{26})(?![0-9A-Za-z])/g;
/** Before a relative link. Another character would make it a part of a longer address. */
const isPartOfAddress = /[\w.~%:/@-]$/;

function startOf(text: string, at: number, bases: readonly string[]): number | undefined {
  const base = bases.find((each) => text.startsWith(each, at - each.length));
  if (base !== undefined) return at - base.length;
  return isPartOfAddress.test(text.slice(Math.max(0, at - 1), at)) ? undefined : at;
}

/** Returns the links in a text, in order. `?w=320` after a link is no part of it. */
export function mediaLinks(text: string, bases: readonly string[]): readonly Link[] {
  const longestFirst = bases.toSorted((a, b) => b.length - a.length);
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [whole, id = ''] = match;
    const start = startOf(text, match.index, longestFirst);
    return start === undefined ? [] : [{ start, end: match.index + whole.length, id }];
  });
}

export interface Rewritten {
  readonly text: string;
  /** The former links by the new ones. Replacing them gives the original text. */
  readonly links: Readonly<Record<string, string>> | undefined;
}

/** Replaces every new link by the former one. */
export function restoreLinks(text: string, links: Readonly<Record<string, string>>): string {
  const longestFirst = Object.keys(links).toSorted((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return text;
  const parts = longestFirst.map((link) => link.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return text.replaceAll(new RegExp(parts.join('|'), 'g'), (link) => links[link] ?? link);
}

/** Rewrites the links whose file has a new address. */
export function rewriteLinks(
  text: string,
  bases: readonly string[],
  urlOf: (id: string) => string | undefined,
): Rewritten {
  const former: Record<string, string> = {};
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, id } of mediaLinks(text, bases)) {
    const url = urlOf(id);
    if (url === undefined) continue;
    parts.push(text.slice(done, start), url);
    former[url] ??= text.slice(start, end);
    done = end;
  }
  const rewritten = parts.join('') + text.slice(done);
  // Two forms of the same link, or a text that contained the new link already, cannot be restored.
  const isReversible = restoreLinks(rewritten, former) === text;
  return { text: rewritten, links: isReversible ? former : undefined };
}
